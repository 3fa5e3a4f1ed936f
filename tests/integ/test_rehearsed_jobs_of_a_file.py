"""`workload rehearse` of a training job of the environment file: stopped, resumed, and refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.rehearsal import namespaces

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(namespaces.why_unsupported() is not None, reason="this machine lets no user create namespaces"),
]
JOB = ("workload", "rehearse", "finetune", "sagemaker-finetune", "--trainer", "plain")


def test_the_next_job_resumes_from_the_checkpoint_of_the_one_that_was_stopped(command: Any, tmp_path: Path) -> None:
    store = ("--s3", str(tmp_path / "s3"))
    stopped = command(*JOB, *store, "--fault", "job-stopped@step=12")
    job = stopped.document["training_job"]
    assert (stopped.status, job["status"], job["secondary_status"]) == (1, "Stopped", "Stopped")
    saved = int(job["newest_checkpoint"].removeprefix("step-"))
    assert saved >= 12

    resumed = command(*JOB, *store)
    assert (resumed.status, resumed.document["training_job"]["newest_checkpoint"]) == (0, "step-000030")
    messages = [event["message"] for event in resumed.document["events"] if event["reason"] == "Resumed"]
    assert messages == [f"step {saved}"]


def test_without_a_folder_for_s3_each_rehearsal_begins_at_step_0(command: Any) -> None:
    for _ in range(2):
        events = command(*JOB, "--steps", "5").document["events"]
        assert [event["message"] for event in events if event["reason"] == "Resumed"] == ["step 0"]


def test_what_a_job_replaces_is_named(command: Any) -> None:
    stand_ins = command(*JOB, "--steps", "5").document["training_job"]["stand_ins"]
    assert any("S3 is a folder" in each for each in stand_ins)
    assert any("the image is not pulled" in each for each in stand_ins)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("--fault", "node-lost"), "--fault 'node-lost' is not a fault"),
        (("--time", "image_pull=60"), "--time is for controllers of Kubernetes"),
        (("--claim", "lustre"), "--claim is an option of charts, and finetune is a training job"),
    ],
)
def test_options_of_other_rehearsals_are_refused(arguments: tuple[str, ...], text: str, command: Any) -> None:
    ran = command(*JOB, *arguments)
    assert (ran.status, text in str(ran.document)) == (1, True)
