"""The commands that install the compile cache on a workstation, and its program, run in a folder of the test."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from neuron_cluster.bootstrap.workstation_boot import program
from neuron_cluster.bootstrap.workstation_compile_cache import (
    LOGIN_PATH,
    PROGRAM,
    PROGRAM_PATH,
    SETTINGS_PATH,
    compile_cache_commands,
)

ADDRESS = "s3://bucket/compile-cache"
COMPILER = "2.27.5334.0"


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A folder in the place of the machine, with an AWS CLI that notes its calls and a Python that has a compiler."""
    for name, body in {"aws": f'echo "$@" >> {tmp_path}/called', "python3": f"echo {COMPILER}"}.items():
        tool = tmp_path / "bin" / name
        tool.parent.mkdir(exist_ok=True)
        tool.write_text(f"#!/bin/bash\n{body}\n")
        tool.chmod(0o755)
    return tmp_path


def install(machine: Path, lnc: int | None = 2) -> None:
    commands = compile_cache_commands(address=ADDRESS, region="us-west-2", login_user="ubuntu", target="trn2", lnc=lnc)
    script = "set -e\n" + "\n".join(commands)
    for path in (SETTINGS_PATH, LOGIN_PATH, PROGRAM_PATH):
        script = script.replace(path, str(machine / path.rpartition("/")[2]))
    subprocess.run(["sh", "-c", script], check=True)


def pull(machine: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": f"{machine}/bin:/usr/bin:/bin", "HOME": "/home/alice", **variables}
    command = ["bash", str(machine / PROGRAM)]
    return subprocess.run(command, env=environment, text=True, capture_output=True, check=False)


def test_bash_can_read_the_program() -> None:
    ran = subprocess.run(["bash", "-n"], input=program(PROGRAM), text=True, capture_output=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.parametrize(
    ("lnc", "variables", "folder"),
    [
        (2, {}, "lnc-2"),
        (None, {}, "lnc-default"),
        (2, {"NEURON_LOGICAL_NC_CONFIG": "1"}, "lnc-default"),
        (None, {"NEURON_LOGICAL_NC_CONFIG": "2"}, "lnc-2"),
    ],
)
def test_graphs_of_the_active_compiler_are_copied_to_where_frameworks_look(
    machine: Path, lnc: int | None, variables: dict[str, str], folder: str
) -> None:
    install(machine, lnc)
    install(machine, lnc)
    ran = pull(machine, **variables)
    assert (ran.returncode, ran.stderr) == (0, "")
    source = f"{ADDRESS}/neuronx-cc-{COMPILER}/trn2/{folder}"
    first, second = (machine / "called").read_text().splitlines()
    assert first.endswith(f"--include neuronxcc-* --exclude *.lock {source} /home/alice/.cache/neuron-compile-cache")
    assert second.endswith(f"--exclude *.lock {source} /home/alice/.cache/vllm/neuron/compile_cache")


def test_a_python_without_a_compiler_is_an_error_with_the_way_out(machine: Path) -> None:
    install(machine)
    (machine / "bin" / "python3").write_text("#!/bin/bash\nexit 1\n")
    ran = pull(machine)
    assert ran.returncode == 1
    assert "activate a virtual environment" in ran.stderr
    assert not (machine / "called").exists()


def test_variables_are_those_of_the_login_user(machine: Path) -> None:
    install(machine)
    login = (machine / "neuron-compile-cache.sh").read_text()
    shown = 'echo "$NEURON_COMPILE_CACHE_URL $VLLM_CACHE_ROOT"'
    for user, expected in (("ubuntu", "/h/.cache/neuron-compile-cache /h/.cache/vllm"), ("root", "")):
        script = f"id() {{ echo {user}; }}\nHOME=/h\n{login}\n{shown}"
        command, paths = ["bash", "-c", script], {"PATH": "/usr/bin:/bin"}
        ran = subprocess.run(command, env=paths, text=True, capture_output=True, check=True)
        assert ran.stdout.strip() == expected
