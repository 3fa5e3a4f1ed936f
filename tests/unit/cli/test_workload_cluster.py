"""The actions of `workload` that read a cluster: the real kubectl, at an API server that serves given objects."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.cli.main import main
from tests.fake_api_server import FakeApiServer
from tests.unit.schedulers.kubernetes.running.observed import (
    admitted,
    child_job,
    cluster_queue,
    condition,
    deployment,
    job_set,
    local_queue,
    node,
    running_pod,
    user_of_quota,
    workload,
)

from .conftest import PROJECT, Command, Ran

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

CLUSTER = ("train-trn2", "--context", "here", "--namespace", "team-a")
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
    return command("workload", action, "llama", *CLUSTER, *arguments)


def test_why_names_the_cause_and_who_uses_the_quota(serve: Serve, command: Command) -> None:
    serve(QUEUED)
    ran = at_cluster(command, "why")
    assert ran.status == 1
    assert "1. queue: Workload jobset-llama-1a2b3" in ran.out
    assert "team-b/mistral (16)" in ran.out.replace("\n", " ")


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
    ran = command("workload", "why", "lama", *CLUSTER)
    assert ran.status == 1
    assert "did you mean llama" in ran.err


@pytest.mark.exhaustive
def test_a_release_is_found_by_its_chart(serve: Serve, command: Command) -> None:
    serve(RUNNING)
    assert command("workload", "why", "neuron-training", *CLUSTER).status == 0


LOGS = {
    "llama-node-0-0-abcde": "step 118 loss 2.31\nsaved checkpoint step-100\nstep 120 loss 2.30\n",
    "llama-node-0-1-abcde": "node 1\n",
}


@pytest.mark.parametrize(
    ("arguments", "printed"),
    [
        pytest.param((), "step 120", marks=pytest.mark.exhaustive),  # as with --follow, below
        (("--all",), "[pod/llama-node-0-1-abcde/trainer] node 1"),
    ],
)
def test_logs_are_those_of_a_rank(
    arguments: tuple[str, ...],
    printed: str,
    serve: Serve,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    serve(RUNNING, logs=LOGS)
    monkeypatch.chdir(PROJECT)
    assert main(["workload", "logs", "llama", *CLUSTER, *arguments]) == 0
    assert printed in capfd.readouterr().out


def test_logs_as_data(serve: Serve, command: Command) -> None:
    serve(RUNNING, logs=LOGS)
    [log] = at_cluster(command, "logs", "--rank", "1", "--format", "json").document["logs"]
    assert log == {"pod": "llama-node-0-1-abcde", "rank": 1, "log": "node 1\n"}
    assert at_cluster(command, "logs", "--follow", "--format", "json").status == 1


def test_an_interruption_ends_a_log_that_is_followed(serve: Serve) -> None:
    serve(RUNNING, logs=LOGS)
    process = subprocess.Popen(
        [sys.executable, "-m", "neuron_cluster.cli.main", "workload", "logs", "llama", *CLUSTER, "--follow"],
        cwd=PROJECT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "step 118 loss 2.31\n"
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate()
    assert (process.returncode, errors) == (130, "interrupted\n")


def test_status_of_what_waits_has_its_position(serve: Serve, command: Command) -> None:
    path = "/apis/visibility.kueue.x-k8s.io/v1beta2/namespaces/team-a/localqueues/research/pendingworkloads"
    listed = {"items": [{"metadata": {"name": "jobset-llama-1a2b3"}, "positionInLocalQueue": 2}]}
    serve(QUEUED, documents={path: listed})
    ran = at_cluster(command, "status")
    assert ran.status == 0
    assert "research, not admitted, position 3" in ran.out


def test_status_of_what_runs(serve: Serve, command: Command) -> None:
    serve(RUNNING, logs=LOGS)
    document = at_cluster(command, "status", "--format", "json").document
    assert document["state"] == "running"
    assert document["restarts"] == {"counted": 1, "uncounted": 2}
    assert (document["pods"], document["attempt"]) == ({"Ready": 2}, 4)
    assert document["nodes"] == {"ip-1": "trn2.48xlarge", "ip-2": "trn2.48xlarge"}
    assert (document["progress"]["step"], document["progress"]["checkpoint"]) == (120, "saved checkpoint step-100")


def test_list_shows_what_runs(serve: Serve, command: Command) -> None:
    serve([*RUNNING, deployment(1)])
    ran = command("workload", "list", "train-trn2", "--running", "--context", "here", "--format", "json")
    assert ran.status == 0
    document = ran.document
    assert {each["release"]: each["state"] for each in document["releases"]} == {
        "llama": "running",
        "chat": "not running",
    }


@pytest.mark.exhaustive  # tests/unit/schedulers/kubernetes/running/test_running_list.py has the rows
def test_list_shows_what_runs_as_text(serve: Serve, command: Command) -> None:
    serve([*RUNNING, deployment(1)])
    ran = command("workload", "list", "train-trn2", "--running", "--context", "here")
    assert ran.status == 0
    assert "team-a/llama" in ran.out


def test_list_reads_a_cluster_only_to_show_what_runs(command: Command) -> None:
    assert command("workload", "list", "train-trn2", "--running").status == 2
    assert command("workload", "list", "train-trn2", "--context", "here").status == 2


def without_pods(server: FakeApiServer, _patched: str) -> None:
    """The controllers delete them at once."""
    server.objects = [body for body in server.objects if body["kind"] != "Pod"]


def test_stop_deactivates_what_is_queued_and_reports_its_checkpoint(serve: Serve, command: Command) -> None:
    server = serve(RUNNING, logs=LOGS, after_patch=without_pods)
    ran = at_cluster(command, "stop", "--yes", "--format", "json")
    assert ran.status == 0
    assert server.patches == [("workloads/jobset-llama-1a2b3", {"spec": {"active": False}})]
    assert (ran.document["left"], ran.document["deleted"]) == ([], False)
    assert ran.document["progress"]["checkpoint"] == "saved checkpoint step-100"
    assert '{"spec": {"active": true}}' in ran.document["start_again"][0]


def test_stop_scales_a_server_and_uninstalls_it(serve: Serve, command: Command, tmp_path: Path) -> None:
    helm = tmp_path / "helm"
    helm.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/arguments\n')
    helm.chmod(0o755)
    server = serve([deployment(3)])
    arguments = ("chat", *CLUSTER, "--yes", "--delete", "--helm", str(helm))
    assert command("workload", "stop", *arguments).status == 0
    replicas = {"metadata": {"annotations": {"neuron-cluster/replicas-before-stop": "3"}}, "spec": {"replicas": 0}}
    assert server.patches == [("deployments/chat", replicas)]
    assert (tmp_path / "arguments").read_text() == "uninstall chat --namespace team-a --kube-context here\n"


def test_stop_asks_and_a_dry_run_changes_nothing(serve: Serve, command: Command) -> None:
    server = serve(RUNNING)
    asked = at_cluster(command, "stop", "--format", "json")
    assert (asked.status, asked.document["findings"][0]["id"]) == (1, "E9525")
    assert "NO checkpoints" in asked.document["findings"][0]["message"]
    dry = at_cluster(command, "stop", "--dry-run")
    assert (dry.status, '{"spec": {"active": false}}' in dry.out) == (0, True)
    assert server.patches == []


def test_why_reads_a_cluster_or_a_rehearsal(command: Command) -> None:
    assert command("workload", "why", "llama").status == 2
    assert command("workload", "why", "llama", "train-trn2", "--rehearsal", "x.json").status == 2
    assert command("workload", "why", "--rehearsal", "no-such-file.json").status == 1
