"""Workloads of a scheduler that the toolkit does not know, by the `workload` verbs, on the local AWS."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hint_commands import command_error

from neuron_cluster.aws.session import LocalTarget, client, close_clients
from neuron_cluster.deploy.local_server import announced
from neuron_cluster.local_checks.product_local_aws import product_local_aws
from neuron_cluster.protocol.registry import register, unregister
from neuron_cluster.protocol.schedulers import find_workload, register_scheduler, schedulers
from tests.orchestrators.conftest import ENVIRONMENT, ROOT, Ran
from tests.orchestrators.step_functions.scheduler import SCHEDULED_GROUPS, ScheduledGroupsProvider

Command = Callable[..., Ran]
FORMAT = ("--format", "json")
RUN = ("measure-fabric", "scale-trn1", "--step", "all-reduce")
MACHINE = {"StartAt": "Measure", "States": {"Measure": {"Type": "Wait", "Seconds": 600, "End": True}}}


@pytest.fixture(autouse=True)
def auto_scaling() -> Iterator[ScheduledGroupsProvider]:
    """In the place of the provider without a scheduler, which has the same section."""
    register(SCHEDULED_GROUPS)
    yield SCHEDULED_GROUPS
    unregister(SCHEDULED_GROUPS)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "environments").mkdir()
    shutil.copy(ENVIRONMENT, tmp_path / "environments")
    (tmp_path / "cdk.json").write_text("{}")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def target(project: Path) -> Iterator[LocalTarget]:
    """The local AWS with the state machine and the log group that a stack of the provider would have."""
    with product_local_aws() as aws, announced(project, aws.endpoint):
        found = LocalTarget("us-west-2", "111122223333", aws.endpoint)
        role = "arn:aws:iam::111122223333:role/jobs"
        client(found, "stepfunctions").create_state_machine(
            name="scale-trn1-jobs", definition=json.dumps(MACHINE), roleArn=role
        )
        client(found, "logs").create_log_group(logGroupName="scale-trn1-jobs")
        yield found
        close_clients(found)


def write_log(target: LocalTarget, job_id: str, *lines: str) -> None:
    place = {"logGroupName": "scale-trn1-jobs", "logStreamName": job_id.rpartition(":")[2]}
    client(target, "logs").create_log_stream(**place)
    began = int(time.time() * 1000)
    events = [{"timestamp": began + number, "message": line} for number, line in enumerate(lines)]
    client(target, "logs").put_log_events(**place, logEvents=events)


def test_a_job_is_submitted_followed_and_stopped(command: Command, target: LocalTarget) -> None:
    submitted = command("workload", "submit", *RUN, "--nodes", "2", "--local", *FORMAT)
    assert submitted.status == 0
    job_id = submitted.document["job_id"]
    execution = client(target, "stepfunctions").describe_execution(executionArn=job_id)
    assert json.loads(execution["input"]) == {"group": "trn1", "nodes": 2, "step": "all-reduce"}

    job = (job_id, "scale-trn1", "--local")
    expected = {"environment": "scale-trn1", "job_id": job_id, "state": "RUNNING"}
    assert command("workload", "status", *job, *FORMAT).document == expected
    assert command("workload", "status", *job).out == f"{job_id} of scale-trn1: RUNNING\n"

    write_log(target, job_id, "step 1", "step 2")
    assert command("workload", "logs", *job) == Ran(0, "step 1\nstep 2\n")
    assert command("workload", "logs", *job, *FORMAT).document["logs"] == ["step 1", "step 2"]

    planned = command("workload", "stop", *job, "--dry-run").out.strip()
    assert command_error(planned) == ""
    assert job_id in planned
    assert command("workload", "status", *job, *FORMAT).document["state"] == "RUNNING"
    assert command("workload", "stop", *job, "--yes", *FORMAT).document["state"] == "ABORTED"
    again = command("workload", "stop", *job, "--yes")
    assert again == Ran(0, f"{job_id} of scale-trn1: nothing to stop, it is ABORTED\n")


def test_an_unknown_job_is_reported(command: Command, target: LocalTarget) -> None:
    job_id = f"arn:aws:states:{target.region}:{target.account}:execution:scale-trn1-jobs:none"
    ran = command("workload", "status", job_id, "scale-trn1", "--local", *FORMAT)
    assert (ran.status, [each["id"] for each in ran.document["findings"]]) == (1, ["E9527"])


def test_a_run_is_rendered_and_written(command: Command, project: Path) -> None:
    rendered = command("workload", "render", *RUN)
    assert json.loads(rendered.out) == {"group": "trn1", "nodes": 1, "step": "all-reduce"}
    assert command("workload", "render", *RUN, "--output", "runs/") == Ran(0, "")
    assert (project / "runs" / "input.json").read_text(encoding="utf-8") == rendered.out
    document = command("workload", "render", *RUN, *FORMAT).document
    assert (document["run"], document["findings"]) == ("measure-fabric", [])


@pytest.mark.usefixtures("project")
def test_a_dry_run_prints_the_request(command: Command) -> None:
    ran = command("workload", "submit", *RUN, "--dry-run")
    assert ran.status == 0
    assert command_error(ran.out.strip()) == ""


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("verb", ["render", "submit"])
def test_an_error_of_the_placement_ends_the_verb(verb: str, command: Command) -> None:
    ran = command("workload", verb, *RUN, "--nodes", "99", *FORMAT)
    assert (ran.status, [each["id"] for each in ran.document["findings"]]) == (1, ["E3991"])


@pytest.mark.usefixtures("project")
def test_its_workloads_are_listed_among_all(command: Command) -> None:
    listed = {each["chart"]: each for each in command("workload", "list", "scale-trn1", *FORMAT).document}
    assert [group["name"] for group in listed["measure-fabric"]["node_groups"]] == ["trn1"]
    assert "collectives-check" in listed
    ran = command("workload", "render", "measure-fabrik", "scale-trn1", *FORMAT)
    assert "did you mean measure-fabric" in ran.document["findings"][0]["hint"]


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("render", *RUN, "--claim", "lustre"), "--claim is an option of charts, and measure-fabric is a run"),
        (("render", *RUN, "--time", "9"), "--time is an option of jobs, and measure-fabric is a run"),
        (("render", "train-jax", *RUN[1:]), "--step is an option of runs, and train-jax is a job"),
        (("rehearse", *RUN[:2]), "measure-fabric is a run, and a rehearsal has no state machine"),
        (("status", "job", "scale-trn1", "--context", "c"), "--context is an option of charts, and job is a run"),
    ],
)
def test_options_of_other_schedulers_are_refused(arguments: tuple[str, ...], text: str, command: Command) -> None:
    ran = command("workload", *arguments, *FORMAT)
    assert (ran.status, ran.document["findings"][0]["message"]) == (1, text)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("submit", *RUN[:2]), "the following arguments are required: --step"),
        (("status", "llama", str(ROOT / "environments" / "train-trn1.yaml")), "are required: --context"),
    ],
)
def test_each_scheduler_has_its_own_required_options(
    arguments: tuple[str, ...], text: str, command: Command, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        command("workload", *arguments, "--project", project)
    assert text in capsys.readouterr().err


def test_its_scheduler_leaves_with_the_provider() -> None:
    (scheduler,) = SCHEDULED_GROUPS.schedulers
    unregister(SCHEDULED_GROUPS)
    try:
        assert scheduler not in schedulers()
        assert find_workload("measure-fabric") is None
    finally:
        register(SCHEDULED_GROUPS)
    assert scheduler in schedulers()


def test_two_schedulers_cannot_have_one_name() -> None:
    class Other(ScheduledGroupsProvider):
        schedulers: Any = (type(SCHEDULED_GROUPS.schedulers[0])(),)

    unregister(SCHEDULED_GROUPS)
    first = Other()
    register(first)
    try:
        with pytest.raises(ValueError, match="two schedulers have the name step-functions"):
            register_scheduler(SCHEDULED_GROUPS.schedulers[0])
    finally:
        unregister(first)
        register(SCHEDULED_GROUPS)
