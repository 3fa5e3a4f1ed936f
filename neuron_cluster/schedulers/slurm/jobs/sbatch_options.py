"""Options of sbatch as a user writes them, and their long forms, which a script has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from neuron_cluster.catalog.slurm_options import SlurmOptions
from neuron_cluster.findings.suggestions import did_you_mean, suggestions
from neuron_cluster.findings.text import listed
from neuron_cluster.schedulers.slurm.setting_values import allowed

OF_MEMORY = ("--mem", "--mem-per-cpu", "--mem-per-gpu")
"""A job has one of them."""
COMPONENTS = ("hetjob", "packjob", ":")
"""Separators of the components of a heterogeneous job, in a script and in a command."""
FREE_TEXT = ("comment", "extra", "job-name", "wrap")
"""Options in whose values ``--`` and ``#`` are text."""
_WORD = re.compile(r"(?:--(?P<long>[a-z][a-z-]*)|-(?P<short>[A-Za-z]))(?P<rest>[^\x00-\x1f\x7f]*)")
_FURTHER = re.compile(r"\s(?:--(?P<long>[a-z][a-z-]*)|-(?P<short>[A-Za-z])|#)")
_QUOTED = re.compile(r"""(["'])(?P<text>[^"']*)\1""")


class Mistake(Struct, frozen=True):
    """The reason why sbatch would not read an option, or would read another one."""

    message: str
    hint: str


def long_form(option: str, row: SlurmOptions, version: str) -> str | Mistake:
    """``--constraint=inf2`` of ``-C inf2``, ``-Cinf2`` and ``--const inf2``, for a version of Slurm."""
    if option.removeprefix("#SBATCH").strip().lower() in COMPONENTS:
        message = f"{option!r} begins a further component of a heterogeneous job, and this job has one"
        return Mistake(message, "remove it, and submit a job for each component")
    found = _WORD.fullmatch(option)
    names = _names(found, row) if found is not None else []
    if found is None or not names or (found["long"] is not None and found["rest"][:1] not in ("", "=", " ")):
        return _unknown(option, row)
    if len(names) > 1:
        return Mistake(f"{option!r} is short for several options", f"write one: {_listed(names)}")
    (name,), rest = names, found["rest"]
    form = row.options[name].form(version)
    if form is None:
        first = next(iter(row.options[name].forms))
        return Mistake(f"--{name} is an option of Slurm {first}, and the cluster has {version}", f"remove --{name}")
    is_separated = rest[:1] == " " or (found["long"] is not None and rest[:1] == "=")
    value = rest[1:] if is_separated else rest
    quoted = _QUOTED.fullmatch(value)
    return _written(option, name, form, quoted["text"] if quoted is not None else value, row, version)


def _written(option: str, name: str, form: str, value: str, row: SlurmOptions, version: str) -> str | Mistake:
    further = _FURTHER.search(value) if name not in FREE_TEXT else None
    if further is not None and (_names(further, row) or further[0].endswith("#")):
        what = "a comment" if further[0].endswith("#") else "a second option"
        return Mistake(f"{option!r} has {what}", "write each option in an --sbatch of its own, and no comment")
    if form == "none" and value:
        return Mistake(f"--{name} takes no value, and {option!r} has one", f"write it without: --sbatch=--{name}")
    if not value and (form == "required" or option.endswith(("=", " "))):
        judge = row.options[name].value
        must_be = f": {allowed(judge, version)}" if judge is not None else ""
        without = f", or --sbatch=--{name} without one" if form == "optional" else ""
        return Mistake(f"--{name} needs a value", f"write --sbatch=--{name}=VALUE{without}{must_be}")
    name = row.options[name].alias_of or name
    return f"--{name}={value}" if value else f"--{name}"


def option_values(options: Iterable[str], row: SlurmOptions, version: str) -> dict[str, str]:
    """Long names and values, empty without one, of those that sbatch reads; the last of a name counts."""
    read = (long_form(option, row, version) for option in options)
    forms = (form.partition("=") for form in read if not isinstance(form, Mistake))
    return {name: value for name, _, value in forms}


def mistakes(options: Iterable[str], row: SlurmOptions, version: str) -> Iterator[Mistake]:
    """Yields a mistake for each option that sbatch would not read."""
    read = (long_form(option, row, version) for option in options)
    yield from (each for each in read if isinstance(each, Mistake))


def _names(found: re.Match[str], row: SlurmOptions) -> list[str]:
    """Names that an option may mean: sbatch reads the beginning of one (getopt_long(3)), and short forms."""
    if found["long"] is None:
        return [name for name, option in row.options.items() if option.short == found["short"]]
    if found["long"] in row.options:
        return [found["long"]]
    return [name for name in row.options if name.startswith(found["long"])]


def _unknown(option: str, row: SlurmOptions) -> Mistake:
    name = re.split("[= ]", option.lstrip("-"), maxsplit=1)[0]
    near = [] if name in row.options else suggestions(name, list(row.options))
    hint = f"{did_you_mean([f'--{each}' for each in near])}write one option in one word, with a value if it has one"
    return Mistake(f"{option!r} is not an option of sbatch", f"{hint}: --sbatch=--array=0-2")


def _listed(names: Iterable[str]) -> str:
    return listed([f"--{name}" for name in names], "or")
