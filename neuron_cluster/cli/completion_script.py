"""The completion script of a shell, which shtab writes from the parser of all verbs.

shtab completes verbs, options and choices. Here is what it cannot know: which arguments are files or environments, and
how to list those without Python.
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterator, Mapping
from typing import Any

import shtab

ENVIRONMENTS = """\
folder=$PWD project= previous=
for word; do
  case $previous in --project) project=$word ;; esac
  case $word in --project=*) project=${word#*=} ;; esac
  previous=$word
done
case $project in "~/"*) project=$HOME/${project#??} ;; esac
until [ -f "$folder/cdk.json" ] && [ -d "$folder/environments" ]; do
  [ -n "$folder" ] || break
  folder=${folder%/*}
done
for file in "${project:-$folder}"/environments/*.yaml; do
  name=${file##*/}
  [ ! -f "$file" ] || printf "%s\\n" "${name%.yaml}"
done"""
"""A program of sh, which every shell starts: the names of the project's environments, for the words of a line."""

NAMES = f"sh -c {shlex.quote(ENVIRONMENTS)} sh"
FUNCTION = "_neuron_cluster_environment_or_file"
"""shtab takes a function of bash with `_file` in its name for one that completes files: a folder gets its slash."""

ENVIRONMENT: dict[str, Any] = {
    "bash": FUNCTION,
    "zsh": FUNCTION,
    "fish": f"({FUNCTION})",
    "preamble": {
        "bash": f"""\
{FUNCTION}() {{
  local names name found=
  names=$({NAMES} "${{COMP_WORDS[@]}}")
  while IFS= read -r name; do  # compgen -W would run a $(command) in the name of a file
    [[ -z $name || $name != "$1"* ]] || {{ found=1; printf "%s\\n" "$name"; }}
  done <<<"$names"
  [[ -n $found ]] || compgen -f -- "$1"
}}
""",
        "zsh": f"""\
{FUNCTION}() {{
  local -a names=(${{(f)"$({NAMES} "${{words[@]}}")"}})
  compadd -a names || _files
}}
""",
        "fish": f"""\
function {FUNCTION}
  set -l names ({NAMES} (commandline -opc) | string match -- (commandline -ct)'*')
  and printf '%s\\n' $names
  or __fish_complete_path (commandline -ct)
end
""",
    },
}
"""The names of the project's environments; files where no name begins with what is typed."""

COMPLETED: Mapping[str, Any] = {"FILE": shtab.FILE, "FILE|DIR": shtab.FILE, "DIR": shtab.DIRECTORY}
"""Completions by the metavar of an argument."""

LAST_LINES = {
    # readline makes three words of --option=value
    "bash": """
_neuron_cluster() {
  local -a words=()
  local -i current=COMP_CWORD i
  for i in "${!COMP_WORDS[@]}"; do
    if [[ ${COMP_WORDS[i]} != = || ${words[*]: -1} != --* ]]; then
      words+=("${COMP_WORDS[i]}")
    elif ((i < COMP_CWORD)); then
      current+=-1
    else
      words+=("")
    fi
  done
  local -a COMP_WORDS=("${words[@]}")
  local -i COMP_CWORD=current
  _shtab_neuron_cluster "$@"
}
complete -F _neuron_cluster neuron-cluster
""",
    "zsh": "",
    "fish": "complete -c neuron-cluster -f\n",  # files only where an argument takes them
}


def completion_script(parser: argparse.ArgumentParser, shell: str) -> str:
    """The script for ``bash``, ``zsh`` or ``fish``. Changes ``parser``, which is of no other use afterwards."""
    for each in _parsers(parser):
        for action in each._actions:  # noqa: SLF001 - argparse has no public list of arguments
            _prepare(action, shell)
    script = shtab.complete(parser, shell)
    if shell == "zsh":
        script = script.replace('"(*)::', '"*:')  # of several values of an argument shtab completes the first
    return f"{script}{LAST_LINES[shell]}"


def _prepare(action: argparse.Action, shell: str) -> None:
    """Names what completes the values of one argument."""
    completed = COMPLETED.get(str(action.metavar))
    if action.dest in ("environment", "environments"):
        completed = ENVIRONMENT
    elif action.dest == "chart":
        from neuron_cluster.protocol.schedulers import all_workloads

        action.choices = sorted(each.name for scheduler, each in all_workloads() if "rehearse" in scheduler.verbs)
    elif action.dest in ("purpose", "template"):
        from neuron_cluster.starter.data_file import purposes, template_rows

        action.choices = sorted(purposes() if action.dest == "purpose" else template_rows())
    if completed is not None:
        action.complete = completed  # type: ignore[attr-defined]  # where shtab reads it
    if shell == "zsh" and action.option_strings:
        action.metavar = None  # a colon in one ends a field of zsh
        if action.nargs != 0:
            action.option_strings = [f"{option}=" for option in action.option_strings]  # --option=value too


def _parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """The parser and those of its verbs, each with one line as its description, as shtab prints the first one."""
    yield parser
    for action in parser._actions:  # noqa: SLF001
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            for listed in action._choices_actions:  # noqa: SLF001
                action.choices[listed.dest].description = listed.help
            for verb in action.choices.values():
                yield from _parsers(verb)
