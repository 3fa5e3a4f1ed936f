"""The completion scripts: what Tab offers in bash, and that every shell reads its script."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from neuron_cluster.cli.completion import SHELLS
from neuron_cluster.cli.main import VERBS, main

from .conftest import PROJECT, Command

ENVIRONMENTS = sorted(path.stem for path in (PROJECT / "environments").glob("*.yaml"))
OF_TRAINIUM = [name for name in ENVIRONMENTS if name.startswith("train-")]
COMPLETE = """
source "$1"
shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_neuron_cluster "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}" 2>/dev/null
((${#COMPREPLY[@]} == 0)) || printf '%s\\n' "${COMPREPLY[@]}"
"""
"""Calls the function as readline does, except for `compopt`, which is an error outside of it."""


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("completion") / "completion.bash"
    with file.open("w", encoding="utf-8") as output, contextlib.redirect_stdout(output):
        assert main(["completion", "bash"]) == 0
    return file


def offered(script: Path, *words: str, folder: Path = PROJECT) -> list[str]:
    """Returns the words that bash offers for the last word, sorted."""
    arguments = ["bash", "--norc", "-c", COMPLETE, "bash", script, "neuron-cluster", *words]
    ran = subprocess.run(arguments, cwd=folder, capture_output=True, text=True, check=True)
    assert ran.stderr == ""
    return sorted(ran.stdout.splitlines())


def test_bash_completes_every_verb(script: Path) -> None:
    assert offered(script, "") == sorted(VERBS)


@pytest.mark.parametrize(
    ("line", "expected"),
    [("pla", ["plan"]),
     ("workload re", ["rehearse", "render"]),
     ("storage si", ["simulate", "size"]),
     ("plan --as", ["--as-of"]),
     ("workload render --mod", ["--model-config"]),
     ("validate --format ", ["json", "sarif", "text"]),
     ("recommend --task em", ["embed"]),
     ("new probe --purpose re", ["research"]),
     ("init clusters --template work", ["workstation"]),
     ("new probe --purchase-option cap", ["capacity_block"]),
     ("new probe --model pyproj", ["pyproject.toml"]),
     ("workload rehearse --trainer ", ["jax", "plain"]),
     ("catalog inst", ["instances"]),
     ("completion ", sorted(SHELLS)),
     ("workload render neuron-s", ["neuron-serving"]),
     ("plan ", ENVIRONMENTS),
     ("plan train-", OF_TRAINIUM),
     ("plan --format json train-", OF_TRAINIUM),
     ("deploy --local --yes train-", OF_TRAINIUM),
     ("validate dev-inf2 train-", OF_TRAINIUM),
     ("workload render --nodes 2 collectives-check train-", OF_TRAINIUM),
     ("workload status neuron-training train-", OF_TRAINIUM),
     ("plan environments/serve-i", ["environments/serve-inf1.yaml"]),
     ("diff train-trn1 --against environments/serve-i", ["environments/serve-inf1.yaml"]),
     ("workload render neuron-training train-trn1 --values pyproj", ["pyproject.toml"]),
     ("synth train-trn1 --output sta", ["stacks"]),
     ("plan --project doc", ["docs"]),
     ("access train-trn1 --role ", []),
     ("deploy train-trn1 --as-of ", [])],
)  # fmt: skip
def test_bash_completes(line: str, expected: list[str], script: Path) -> None:
    assert offered(script, *line.split(" ")) == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [(["plan", "--format", "="], ["json", "text"]),
     (["plan", "--format", "=", "js"], ["json"]),
     (["plan", "--format", "=", "json", "train-"], OF_TRAINIUM),
     (["deploy", "train-trn1", "--as-of", "=", "2027-01-01", "--form"], ["--format"])],
)  # fmt: skip
def test_a_value_behind_an_equals_sign_is_completed(words: list[str], expected: list[str], script: Path) -> None:
    assert offered(script, *words) == expected


@pytest.mark.parametrize("given", [["--project"], ["--project", "="]])
def test_environments_are_those_of_the_project(given: list[str], script: Path, tmp_path: Path) -> None:
    environments = tmp_path / "my clusters" / "environments"
    environments.mkdir(parents=True)
    assert offered(script, "plan", "", folder=environments) == []
    (environments.parent / "cdk.json").touch()
    (environments / "bases").mkdir()
    for name in ("research.yaml", "serving.yaml", "bases/shared.yaml", "environment.schema.json"):
        (environments / name).touch()
    assert offered(script, "plan", "", folder=environments / "bases") == ["research", "serving"]
    assert offered(script, "plan", *given, str(environments.parent), "re") == ["research"]


def test_the_name_of_a_file_is_no_code(script: Path, tmp_path: Path) -> None:
    (tmp_path / "cdk.json").touch()
    (tmp_path / "environments").mkdir()
    (tmp_path / "environments" / "$(touch made) `touch made` *.yaml").touch()
    assert offered(script, "plan", "", folder=tmp_path) == ["$(touch made) `touch made` *"]
    assert sorted(path.name for path in tmp_path.iterdir() if path.name != script.name) == ["cdk.json", "environments"]


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_is_printed_within_a_second_and_its_shell_reads_it(shell: str, command: Command) -> None:
    begun = time.process_time()
    ran = command("completion", shell)
    assert time.process_time() - begun < 1
    assert (ran.status, ran.err) == (0, "")
    assert all(verb in ran.out for verb in VERBS)
    if shutil.which(shell) is None:
        pytest.skip(f"needs {shell} (`apt-get install {shell}`)")
    read = subprocess.run([shell, "-n"], input=ran.out, capture_output=True, text=True, check=False)
    assert (read.returncode, read.stderr) == (0, "")


def test_help_has_the_lines_that_install_a_script(command: Command) -> None:
    out = command("completion", "--help").out
    assert all(f"neuron-cluster completion {shell} > " in out for shell in SHELLS)


def test_another_shell_is_a_wrong_command_line(command: Command) -> None:
    ran = command("completion", "tcsh")
    assert ran.status == 2
    assert "unknown shell tcsh" in ran.err
