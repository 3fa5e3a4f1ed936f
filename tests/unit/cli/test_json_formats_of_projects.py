"""JSON output of `setup`, `local`, `lock`, `synth` and `images`, with every property of their schemas."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from neuron_cluster.cli.local import _show
from neuron_cluster.cli.main import build_parser
from neuron_cluster.deploy.node import MODULES, cdk_folder
from neuron_cluster.local_checks.product_local_aws import product_local_aws
from tests.json_outputs import FORMAT, accepted_mutations, assert_has_format, unseen

from .conftest import PROJECT, Command

PLACE = ("111122223333", "us-west-2")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with one environment and nothing else."""
    (tmp_path / "environments").mkdir()
    (tmp_path / "cdk.json").write_text("{}")
    shutil.copy(PROJECT / "environments" / "dev-inf2.yaml", tmp_path / "environments")
    return tmp_path


def test_every_property_of_an_installed_cdk_command_is_printed(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    installed = Path(MODULES, "aws-cdk", "bin")
    shutil.copytree(PROJECT / installed, cdk_folder() / installed)
    found = command("setup", *FORMAT).document
    assert unseen("setup", [found]) == []
    assert accepted_mutations("setup", found) == []
    assert sorted(path.name for path in Path(found["programs"]).iterdir()) == ["cdk", "node"]


def assert_is_that_of_a_local_aws(printed: str) -> None:
    assert_has_format(["local", *FORMAT], printed)
    found = json.loads(printed)
    assert unseen("local", [found]) == []
    assert accepted_mutations("local", found) == []
    assert (found["account"], found["region"]) == PLACE
    assert found["variables"]["AWS_ACCESS_KEY_ID"] == found["account"]
    assert (found["is_fresh_account"], found["is_restored"]) == (False, False)


@pytest.mark.slow
def test_every_property_of_a_running_local_aws_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    options = build_parser("local").parse_args(["local", *FORMAT])
    with product_local_aws() as aws:
        _show(options, aws, PLACE, {}, is_restored=False)
    assert_is_that_of_a_local_aws(capsys.readouterr().out)


@pytest.mark.exhaustive  # tests/integ/test_local_clouds_side_by_side.py runs it as a process
def test_a_local_aws_prints_it_before_a_signal_ends_it(project: Path) -> None:
    arguments = ["local", "--port", "0", "--project", str(project), *FORMAT]
    command = [sys.executable, "-m", "neuron_cluster.cli.main", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        printed = "".join(iter(running.stdout.readline, "}\n")) + "}"
        running.send_signal(signal.SIGTERM)
    assert_is_that_of_a_local_aws(printed)


@pytest.mark.slow
def test_every_property_of_a_lock_is_printed(command: Command, project: Path) -> None:
    found = command("lock", "dev-inf2", "--local", "--project", str(project), *FORMAT).document
    assert unseen("lock", [found]) == []
    assert accepted_mutations("lock", found) == []
    (change,) = (each for each in found["changes"] if each["path"][0] == "charts" and each["path"][-1] == "digest")
    assert (change["kind"], change["before"], change["after"]) == ("added", None, None)


@pytest.mark.slow
def test_every_property_of_a_written_assembly_is_printed(command: Command, tmp_path: Path) -> None:
    output = tmp_path / "assembly"
    found = command("synth", "train-trn1", "--output", str(output), *FORMAT).document
    assert unseen("synth", [found]) == []
    assert accepted_mutations("synth", found) == []
    assert (output / f"{found['stacks'][0]}.template.json").exists()


def test_every_property_of_the_needed_software_is_printed(command: Command) -> None:
    found = command("images", "train-trn1", "--commands", *FORMAT).document
    of_slurm = command("images", "slurm-trn1", *FORMAT).document
    assert unseen("images", [found, of_slurm]) == []
    assert accepted_mutations("images", of_slurm) == []
    assert accepted_mutations("images", found) == []
