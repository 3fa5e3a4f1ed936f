"""The second of two commands that change one environment is rejected and names the first."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from neuron_cluster.deploy.destination import Destination, aws_destination, local_destination
from neuron_cluster.deploy.only_command import FOLDER, OtherCommandError, only_command
from neuron_cluster.local_folder import local_folder
from neuron_cluster.plan.cluster_plan import ClusterPlan

CHECKOUT = Path(__file__).parents[3]
HOLDER = """
import pathlib, sys
from neuron_cluster.deploy.destination import aws_destination
from neuron_cluster.deploy.only_command import only_command
from neuron_cluster.pipeline import check_environment
project = pathlib.Path(sys.argv[1])
plan = check_environment(pathlib.Path("environments/train-trn1.yaml")).require_plan()
with only_command(project, plan, aws_destination(plan.account, plan.region), "destroy"):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def aws(training: ClusterPlan) -> Destination:
    return aws_destination(training.account, training.region)


def test_the_second_command_names_the_first(training: ClusterPlan, aws: Destination, tmp_path: Path) -> None:
    with (
        only_command(tmp_path, training, aws, "deploy"),
        pytest.raises(OtherCommandError) as caught,
        only_command(tmp_path, training, aws, "destroy"),
    ):
        pass
    assert f"`neuron-cluster deploy` of train-trn1 runs already: process {os.getpid()} of " in caught.value.message
    assert " UTC" in caught.value.message
    assert caught.value.finding_id == "E9520"


def test_the_lock_goes_with_the_command(training: ClusterPlan, aws: Destination, tmp_path: Path) -> None:
    for _ in range(2):
        with only_command(tmp_path, training, aws, "deploy"):
            assert len(list((local_folder(tmp_path) / FOLDER).iterdir())) == 1
    assert list((local_folder(tmp_path) / FOLDER).iterdir()) == []


def test_another_destination_is_another_environment(training: ClusterPlan, aws: Destination, tmp_path: Path) -> None:
    local = local_destination("http://127.0.0.1:5055", training.account, training.region)
    with only_command(tmp_path, training, aws, "deploy"), only_command(tmp_path, training, local, "deploy"):
        assert len(list((local_folder(tmp_path) / FOLDER).iterdir())) == 2


def test_a_killed_command_holds_no_lock(training: ClusterPlan, aws: Destination, tmp_path: Path) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, tmp_path], cwd=CHECKOUT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with (
            pytest.raises(OtherCommandError, match=rf"process {holder.pid} of"),
            only_command(tmp_path, training, aws, "deploy"),
        ):
            pass
        holder.kill()
    with only_command(tmp_path, training, aws, "deploy"):
        assert list((local_folder(tmp_path) / FOLDER).iterdir())
