"""A rehearsal has the same causes as a cluster, from its events."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.errors import ToolkitError
from neuron_cluster.schedulers.kubernetes.rehearsal.diagnosis import diagnose_rehearsal, read_rehearsal
from neuron_cluster.schedulers.kubernetes.running.cause import Stage

STARTED = ("jobset", "llama", "Started", "attempt 0")
NO_NODE = "0/2 nodes are available: 2 node(s) didn't match pod anti-affinity rules"


def written(folder: Path, ended: str, *events: tuple[str, str, str, str]) -> Path:
    """The document of a rehearsal with these events, a minute apart."""
    listed = [
        {"at": 60.0 * number, "source": source, "subject": subject, "reason": reason, "message": message}
        for number, (source, subject, reason, message) in enumerate(events)
    ]
    document: dict[str, Any] = {"workload": "neuron-training on trn1 of train-trn1", "ended": ended, "why": ""}
    file = folder / "rehearsal.json"
    file.write_text(json.dumps({**document, "seconds": 9.0, "events": listed, "not_modelled": []}))
    return file


@pytest.mark.parametrize(
    ("events", "stage", "text"),
    [
        ([("kueue", "llama", "Pending", "insufficient unused quota")], Stage.QUEUE, "quota is in use"),
        ([("kueue", "llama", "Pending", "ClusterQueue research is stopped")], Stage.QUEUE, "was stopped"),
        ([("kueue", "warm", "Pending", "no TAS flavor assigned to Job default/warm")], Stage.QUEUE, "network topology"),
        ([("kueue", "llama", "Evicted", "PodsReadyTimeout: not Ready in 1800 s")], Stage.EVICTION, "waitForPodsReady"),
        (
            [STARTED, ("scheduler", "llama-0", "FailedScheduling", 'persistentvolumeclaim "x" not found')],
            Stage.CLAIM,
            "PersistentVolumeClaim x does not exist",
        ),
        ([STARTED, ("kubelet", "llama-0", "Pulling", "x on trn1-0: 480 s")], Stage.IMAGE, "is pulled"),
        ([("kubelet", "chat-0", "Unhealthy", "startup probe")], Stage.READINESS, "probe"),
        ([("job", "check", "Failed", "BackoffLimitExceeded")], Stage.CONTROLLER, "the Job has failed"),
        ([STARTED, ("scheduler", "llama-0", "FailedScheduling", NO_NODE)], Stage.PLACEMENT, "one node for each pod"),
        (
            [
                STARTED,
                ("fault", "trn1-0", "NodeLost", ""),
                ("node", "trn1-0", "NodeNotReady", "taint"),
                ("scheduler", "llama-1", "FailedScheduling", "0/1 nodes are available: 1 node(s) were not ready"),
            ],
            Stage.NODES,
            "NotReady",
        ),
        ([STARTED, ("kubelet", "llama-0", "Exited", "trainer: exit code 76")], Stage.PROGRAM, "device was lost"),
        ([STARTED, ("kubelet", "llama-0", "Exited", "trainer: exit code 9"),
          ("jobset", "llama", "Failed", "FailedJobs")], Stage.PROGRAM, "the program failed"),
    ],
)  # fmt: skip
def test_the_cause_comes_first(
    events: list[tuple[str, str, str, str]], stage: Stage, text: str, tmp_path: Path
) -> None:
    found = diagnose_rehearsal(read_rehearsal(written(tmp_path, "Unfinished", *events)))
    assert found.causes[0].stage is stage
    assert text in found.causes[0].means
    assert found.causes[0].since is not None


def test_a_container_that_started_again_and_a_queue_that_is_active_are_no_cause(tmp_path: Path) -> None:
    events = [
        ("kueue", "research", "Active", "stopPolicy None"),
        ("kubelet", "chat-0", "Exited", "server: exit code 1"),
        ("kubelet", "chat-0", "Started", "server"),
    ]
    assert diagnose_rehearsal(read_rehearsal(written(tmp_path, "Unfinished", *events))).causes == ()


@pytest.mark.parametrize(
    ("source", "first", "second"), [("slurm", "RUNNING", "RUNNING"), ("sagemaker", "Starting", "Restarting")]
)
def test_a_job_without_pods_has_the_hosts_that_failed_last_and_its_end(
    source: str, first: str, second: str, tmp_path: Path
) -> None:
    file = written(
        tmp_path,
        "Failed",
        (source, "job 1", first, ""),
        (source, "node-1", "Exited", "exit code 76"),
        (source, "job 1", second, ""),
        (source, "node-1", "Exited", "exit code 0"),
        (source, "node-2", "Exited", "exit code 1"),
    )
    found = [(cause.stage, cause.about, cause.seen) for cause in diagnose_rehearsal(read_rehearsal(file)).causes]
    assert found == [
        (Stage.PROGRAM, "host node-2", "exit code 1"),
        (Stage.CONTROLLER, "neuron-training on trn1 of train-trn1", "Failed"),
    ]


def test_what_a_workload_survived_is_no_cause(tmp_path: Path) -> None:
    events = [STARTED, ("fault", "trn1-0", "NodeLost", ""), ("kubelet", "llama-0", "Exited", "trainer: exit code 76")]
    found = diagnose_rehearsal(read_rehearsal(written(tmp_path, "Completed", *events)))
    assert (found.state, found.causes) == ("completed", ())
    assert [(event.at, event.about, event.words) for event in found.events] == [("0:01:00", "fault trn1-0", "NodeLost")]


def test_an_attempt_that_was_repeated_is_no_cause(tmp_path: Path) -> None:
    first = [STARTED, ("kubelet", "llama-0", "Exited", "trainer: exit code 75")]
    again = [("jobset", "llama", "Started", "attempt 1"), ("kubelet", "llama-1", "Exited", "trainer: exit code 1")]
    found = diagnose_rehearsal(read_rehearsal(written(tmp_path, "Failed", *first, *again)))
    assert [cause.seen for cause in found.causes] == ["exit code 1"]


@pytest.mark.parametrize("content", ["", "{}", "[1]", '{"workload": 3}'])
def test_another_document_is_an_error(content: str, tmp_path: Path) -> None:
    file = tmp_path / "file.json"
    file.write_text(content)
    with pytest.raises(ToolkitError, match="not the JSON of a rehearsal"):
        read_rehearsal(file)
    with pytest.raises(ToolkitError, match="cannot be read"):
        read_rehearsal(tmp_path / "missing.json")
