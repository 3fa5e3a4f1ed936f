"""Jobs of a HyperPod cluster with Slurm: sessions submit them, and nodes have names of addresses."""

from __future__ import annotations

import base64
import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from rule_fixture import Case

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.pipeline import check_environment
from neuron_cluster.protocol.submission import NodeCommand, SessionCommand
from neuron_cluster.schedulers.slurm.cluster import slurm_of
from neuron_cluster.schedulers.slurm.jobs.job import JobOptions, RenderedJob
from neuron_cluster.schedulers.slurm.jobs.known_jobs import JOBS
from neuron_cluster.schedulers.slurm.jobs.render import render_job
from tests.slurm_on_hyperpod import CPU, NAME

CATALOG = load_catalog()
BY_NAME = {job.name: job for job in JOBS}


def rendered(
    folder: Path, *sbatch: str, edits: dict[str, Any] | None = None, base: str = NAME, **more: Any
) -> RenderedJob:
    file = folder / f"{base}.yaml"
    file.write_text(Case(base, edits or {}).text(), encoding="utf-8")
    plan = check_environment(file).require_plan()
    options = JobOptions(arguments=(), variables={}, scheduler_options=sbatch, **more)
    return render_job(BY_NAME["check-collectives"], plan, slurm_of(plan), CATALOG, options)


def test_a_job_has_partition_and_devices_of_the_plan(tmp_path: Path) -> None:
    found = rendered(tmp_path)
    assert (found.group, found.queue, found.nodes, found.devices) == ("trn1", "training", 2, 16)
    for directive in ("--partition=training", "--nodes=2", "--gpus-per-node=trainium:16", "--exclusive"):
        assert f"#SBATCH {directive}\n" in found.script
    assert [each for each in found.findings if each.id.startswith("E")] == []


def test_a_session_submits_the_job_as_the_user_of_the_image(tmp_path: Path) -> None:
    """Run Command takes instances of EC2 only."""
    found = rendered(tmp_path)
    assert isinstance(found.submission, SessionCommand)
    find, session = found.commands
    assert find.startswith("LOGIN=$(cluster=$(aws sagemaker describe-cluster --region us-west-2 ")
    words = shlex.split(session)
    assert words[:3] == ["aws", "ssm", "start-session"]
    assert words[words.index("--document-name") + 1] == "AWS-StartNonInteractiveCommand"
    (command,) = json.loads(words[words.index("--parameters") + 1])["command"]
    encoded, program = command.removeprefix("echo ").split(" | base64 --decode | ")
    assert base64.b64decode(encoded).decode() == found.script
    assert program == "sudo -iu ubuntu /opt/slurm/bin/sbatch --chdir=/fsx"
    assert found.submission.script == f"set -euo pipefail\n{find}\n{session}"
    assert found.submission.list_jobs == "/opt/slurm/bin/squeue"
    assert found.submission.node == f"the login nodes of {NAME}"


def test_a_job_of_pcs_is_still_a_command_of_its_login_node(tmp_path: Path) -> None:
    assert isinstance(rendered(tmp_path, base="slurm-trn1").submission, NodeCommand)


def test_without_a_file_system_a_job_has_no_folder(tmp_path: Path) -> None:
    found = rendered(tmp_path, edits={"storage": "~delete~"})
    assert "--chdir" not in found.commands[1]


@pytest.mark.parametrize(
    "option",
    [
        "--nodelist=ip-10-45-1-3",
        "--nodelist=ip-10-45-1-[3-4]",
        "--exclude=ip-10-45-1-3",
        "--exclude=ip-10-45-1-[3-9]",
        "--exclude=trn1-1",
    ],
)
def test_names_of_nodes_are_not_compared_with_a_plan_that_does_not_have_them(tmp_path: Path, option: str) -> None:
    found = rendered(tmp_path, option)
    assert [each.message for each in found.findings if each.id.startswith("E")] == []
    name, _, value = option.partition("=")
    assert f"#SBATCH {name}={shlex.quote(value)}\n" in found.script


@pytest.mark.hints("E9413", "E9414", "W9421")
@pytest.mark.parametrize(
    ("option", "finding_id", "message", "hint"),
    [
        (
            "--nodelist=ip-10-45-1-[3-5]",
            "E9413",
            "--nodelist has 3 nodes, and the job 2",
            "set --nodes 3, or name 2 at most",
        ),
        ("--nodelist=a[", "E9414", "--nodelist is 'a['", "write names of nodes: as sinfo prints them"),
        ("--exclude=a[", "E9414", "--exclude is 'a['", "write names of nodes: as sinfo prints them"),
        (
            "--threads-per-core=2",
            "E9413",
            "--threads-per-core=2, but nodes of HyperPod have one thread of each core",
            "remove --threads-per-core",
        ),
        (
            "--constraint=inf2",
            "E9413",
            "--constraint=inf2, but nodes of trn1 have no features",
            "remove --constraint",
        ),
        ("--licenses=x", "E9413", "--licenses=x, but the cluster has none", "remove --licenses"),
        (
            "--tmp=6000G",
            "W9421",
            "--tmp=6000G: HyperPod accepts no TmpDisk, and Slurm has none by default",
            "remove --tmp: jobs may use the root volume of their nodes without it",
        ),
    ],
)
def test_findings_name_hyperpod_and_keys_that_it_has(
    tmp_path: Path, option: str, finding_id: str, message: str, hint: str
) -> None:
    (found,) = (each for each in rendered(tmp_path, option).findings if each.message.startswith("--"))
    assert (found.id, found.message, found.hint) == (finding_id, message, hint)


@pytest.mark.hints("E9413")
def test_more_nodes_than_the_group_has_are_a_matter_of_its_desired_number(tmp_path: Path) -> None:
    found = rendered(tmp_path, nodes=5)
    (error,) = found.findings
    assert (error.id, error.message) == ("E9413", "5 nodes are requested, but trn1 has at most 4")
    assert error.hint == "request 4, or raise count.desired of trn1 to 5"
    assert rendered(tmp_path, nodes=5, edits={"hyperpod.groups[0].count.desired": "5"}).script


def test_the_other_group_of_a_partition_is_named(tmp_path: Path) -> None:
    """A partition may have nodes of two types: devices of the job keep it on those of one."""
    edits = {"hyperpod.groups[1]": {**CPU, "queue": "training", "count": {"desired": "1"}}}
    found = rendered(tmp_path, edits=edits)
    assert (found.group, found.queue) == ("trn1", "training")
    assert "--gpus-per-node=trainium:16" in found.script
