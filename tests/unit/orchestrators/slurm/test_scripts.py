"""Scripts of Slurm nodes as text and as programs; tests/system runs them under Slurm."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from neuron_cluster.catalog.instance_type import instance_types
from neuron_cluster.orchestrators.slurm import script_settings as script_settings_module
from neuron_cluster.orchestrators.slurm.node_settings import FILE, node_settings
from neuron_cluster.orchestrators.slurm.script_settings import script_settings

SCRIPTS = Path(script_settings_module.__file__).with_name("scripts")
SHELLCHECK = Path(sys.executable).parent / "shellcheck"
RUN_BY_SLURM = ("Prolog", "Epilog", "TaskProlog", "HealthCheckProgram")


@pytest.fixture
def node(tmp_path: Path) -> Path:
    """The folder of scripts of a node with 16 devices."""
    made = node_settings(instance_types()["trn2.48xlarge"], slurm_commands="/usr/bin")
    settings = msgspec.structs.replace(made, device_folder=str(tmp_path))
    folder = tmp_path / "scripts"
    shutil.copytree(SCRIPTS, folder)
    (folder / FILE).write_text(settings.text(), encoding="ascii")
    return folder


def exports(node: Path, **variables: str) -> list[str]:
    environment = {"PATH": "/usr/bin:/bin", **variables}
    ran = subprocess.run([node / "task_prolog.sh"], env=environment, capture_output=True, text=True, check=True)
    assert ran.stderr == ""
    return ran.stdout.splitlines()


def test_shellcheck_finds_nothing(node: Path) -> None:
    scripts = sorted(node.glob("*.sh"))
    words = [
        SHELLCHECK,
        "--shell=bash",
        "--enable=quote-safe-variables",
        "--external-sources",
        "--source-path=SCRIPTDIR",
    ]
    ran = subprocess.run([*words, "--format=gcc", *scripts], capture_output=True, text=True, check=False)
    assert len(scripts) > len(RUN_BY_SLURM)
    assert ran.stdout + ran.stderr == ""


def test_slurm_runs_each_script_that_is_a_program() -> None:
    settings = script_settings("/scripts")
    named = sorted(Path(settings[name]).name for name in RUN_BY_SLURM)
    assert named == sorted(path.name for path in SCRIPTS.glob("*.sh") if path.read_text().startswith("#!"))


@pytest.mark.parametrize("setting", RUN_BY_SLURM)
def test_the_head_of_a_script_states_when_it_runs(setting: str) -> None:
    text = (SCRIPTS / Path(script_settings("/scripts")[setting]).name).read_text()
    head = text.partition("\nset -u\n")[0]
    assert re.search(rf"^# Setting: {setting}[.,] ?", head, re.MULTILINE)
    assert re.search(r"Run by slurm\w+.* as (root|the user of the job)", head.replace("\n# ", " "))
    assert "\n# Time-out: " in head
    assert re.search(r"(Other status than 0|Its status)", head)


@pytest.mark.parametrize(
    ("devices", "cores"),
    [
        ("0", "0-3"),
        ("3", "12-15"),
        ("0,1,2,3", "0-15"),
        ("4,5,6,7,8,9,10,11", "16-47"),
        ("0,2", "0,1,2,3,8,9,10,11"),
    ],
)
def test_cores_of_the_devices_of_a_step(node: Path, devices: str, cores: str) -> None:
    assert f"export NEURON_RT_VISIBLE_CORES={cores}" in exports(node, SLURM_STEP_GPUS=devices)


@pytest.mark.parametrize("variables", [{}, {"SLURM_STEP_GPUS": ",".join(str(number) for number in range(16))}])
def test_a_step_with_no_devices_or_all_of_them_has_no_list_of_cores(node: Path, variables: dict[str, str]) -> None:
    assert exports(node, **variables) == ["export FI_PROVIDER=efa", "export FI_EFA_USE_DEVICE_RDMA=1"]


def test_a_device_of_one_core_is_one_number(node: Path) -> None:
    text = (node / FILE).read_text()
    (node / FILE).write_text(text.replace("CORES_PER_DEVICE=4", "CORES_PER_DEVICE=1"))
    assert "export NEURON_RT_VISIBLE_CORES=5" in exports(node, SLURM_STEP_GPUS="5")


@pytest.mark.parametrize(("kernel", "is_set"), [("5.10.0-1", True), ("5.15.0-1019-aws", False), ("6.8.0-aws", False)])
def test_fork_safety_of_efa_on_old_kernels(node: Path, tmp_path: Path, kernel: str, *, is_set: bool) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "uname").write_text(f"#!/bin/sh\necho {kernel}\n")
    (programs / "uname").chmod(0o755)
    with (node / FILE).open("a") as settings:
        settings.write(f"PATH={programs}:$PATH\n")
    assert ("export FI_EFA_FORK_SAFE=1" in exports(node)) is is_set
