"""The actions of `workload` that read a cluster: the real kubectl, at an API server that serves given objects."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.fake_api_server import FakeApiServer
from tests.unit.workloads.running.observed import (
    admitted,
    child_job,
    cluster_queue,
    condition,
    job_set,
    local_queue,
    node,
    running_pod,
    user_of_quota,
    workload,
)

from .conftest import Command, Ran

pytestmark = pytest.mark.slow
ARN = "arn:aws:eks:us-east-2:111122223333:cluster/train-trn2"
SHORT = "couldn't assign flavors to pod set node: insufficient unused quota for aws.amazon.com/neuron in flavor trn2"
QUEUES = [local_queue(), cluster_queue()]
QUEUED = [
    job_set(suspend=True),
    *QUEUES,
    workload(condition("QuotaReserved", False, "Pending", SHORT)),
    user_of_quota(),
]
RUNNING = [job_set(), *QUEUES, admitted(), child_job(), running_pod(0), running_pod(1), node("ip-1"), node("ip-2")]

Serve = Callable[..., FakeApiServer]


@pytest.fixture
def serve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Serve]:
    """``serve(objects, …)``: a cluster whose context is ``here`` in the default kubeconfig."""
    monkeypatch.setenv("KUBECACHEDIR", str(tmp_path / "cache"))
    monkeypatch.setenv("KUBECONFIG", str(tmp_path / "config"))
    with ExitStack() as stack:

        def start(objects: list[dict[str, Any]], *, cluster: str = ARN, **options: Any) -> FakeApiServer:
            copied = json.loads(json.dumps(objects))
            server = stack.enter_context(FakeApiServer(copied, **options))
            server.kubeconfig(tmp_path / "config", cluster)
            return server

        yield start


def at_cluster(command: Command, action: str, *arguments: str) -> Ran:
    where = ("train-trn2", "--context", "here", "--namespace", "team-a")
    return command("workload", action, "llama", *where, *arguments)


def test_why_names_the_cause_and_who_uses_the_quota(serve: Serve, command: Command) -> None:
    serve(QUEUED)
    ran = at_cluster(command, "why")
    assert ran.status == 1
    assert "1. queue: Workload jobset-llama-1a2b3" in ran.out
    assert "team-b/mistral (16)" in ran.out.replace("\n", " ")
    [cause] = at_cluster(command, "why", "--format", "json").document["causes"]
    assert cause["stage"] == "queue"


def test_why_finds_nothing_wrong(serve: Serve, command: Command) -> None:
    serve(RUNNING, without=["kubeflow.org"], forbidden=["nodes"])
    ran = at_cluster(command, "why", "--format", "json")
    assert (ran.status, ran.document["state"], ran.document["causes"]) == (0, "running", [])
    assert (ran.document["release"], ran.document["chart"]) == ("llama", "neuron-training")
    assert "nodes is forbidden" in ran.document["forbidden"][0]


def test_another_cluster_is_not_read(serve: Serve, command: Command) -> None:
    serve(RUNNING, cluster=ARN.replace("train-trn2", "other"))
    ran = at_cluster(command, "why", "--format", "json")
    assert ran.status == 1
    assert [found["id"] for found in ran.document["findings"]] == ["E9214"]


def test_a_release_that_is_not_there_is_named_with_those_that_are(serve: Serve, command: Command) -> None:
    serve(RUNNING)
    ran = command("workload", "why", "lama", "train-trn2", "--context", "here", "--namespace", "team-a")
    assert ran.status == 1
    assert "did you mean llama" in ran.err
    by_chart = command("workload", "why", "neuron-training", "train-trn2", "--context", "here", "--namespace", "team-a")
    assert by_chart.status == 0


def test_why_reads_a_cluster_or_a_rehearsal(command: Command) -> None:
    assert command("workload", "why", "llama").status == 2
    assert command("workload", "why", "llama", "train-trn2", "--rehearsal", "x.json").status == 2
    assert command("workload", "why", "--rehearsal", "no-such-file.json").status == 1
