"""`storage drill` over the bucket of a deployed environment on the local AWS, with planted faults."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.aws.session import LocalTarget, client
from neuron_cluster.checkpoints.checkpoint_drill import Drill
from neuron_cluster.deploy.checkpoint_objects import CheckpointObjects

from .only_data import WITH_SYNC, with_only_data

pytestmark = pytest.mark.slow
DRILL = ("storage", "drill", "only-data", "--local", "--format", "json")
RUN = "checkpoints/default/llama"
CONTENTS = {f"shards/{rank}": bytes([rank]) * 1_000 for rank in range(3)}

Command = Callable[..., Any]


@pytest.fixture(scope="module")
def project(project: Path) -> Path:
    return with_only_data(project, WITH_SYNC)


@pytest.fixture
def s3(target: LocalTarget) -> Any:
    return client(target, "s3")


@pytest.fixture
def bucket(command: Command, target: LocalTarget, s3: Any) -> str:
    """The deployed bucket with two complete checkpoints; step-200 is the newer one."""
    assert command("deploy", "--local", "only-data", "--format", "json").status == 0
    stacks = client(target, "cloudformation").describe_stacks(StackName="only-data-storage")["Stacks"]
    outputs = {each["OutputKey"]: each["OutputValue"] for each in stacks[0]["Outputs"]}
    name = str(outputs["CheckpointBucket"])
    for step in (100, 200):
        _put(s3, name, step, CONTENTS)
    return name


def _put(s3: Any, bucket: str, step: int, contents: dict[str, bytes]) -> None:
    folder = f"{RUN}/step-{step}"
    for path, content in contents.items():
        s3.put_object(Bucket=bucket, Key=f"{folder}/{path}", Body=content)
    files = [{"path": path, "size": len(body), "crc32": zlib.crc32(body)} for path, body in CONTENTS.items()]
    completed = f"2026-11-26T10:0{step // 100}:00Z"
    manifest = {"version": 1, "step": step, "completed": completed, "parallelism": {"ranks": 3}, "sdk": "2.32.0"}
    body = json.dumps({**manifest, "files": files}).encode()
    s3.put_object(Bucket=bucket, Key=f"{folder}/_manifest.json", Body=body)


def test_faults_are_named_and_the_one_before_is_restored(
    command: Command, target: LocalTarget, s3: Any, bucket: str, tmp_path: Path
) -> None:
    whole = command(*DRILL, "--into", str(tmp_path / "into"))
    assert (whole.status, whole.document["restored"]) == (0, "default/llama/step-200")
    assert whole.document["source"] == f"s3://{bucket}/checkpoints/"
    assert (tmp_path / "into" / "shards" / "2").read_bytes() == CONTENTS["shards/2"]

    one, other = CONTENTS["shards/0"], CONTENTS["shards/1"]
    for kind, contents in {
        "short": CONTENTS | {"shards/0": one[:10]},
        "exchanged": CONTENTS | {"shards/0": other, "shards/1": one},
    }.items():
        _put(s3, bucket, 200, contents)
        ran = command(*DRILL)
        assert (ran.status, ran.document["restored"]) == (1, "default/llama/step-100")
        assert {(fault["kind"], fault["checkpoint"]) for fault in ran.document["faults"]} == {
            (kind, "default/llama/step-200")
        }

    _put(s3, bucket, 200, CONTENTS)
    s3.delete_object(Bucket=bucket, Key=f"{RUN}/step-200/shards/0")
    missing = command(*DRILL)
    assert (missing.status, missing.document["missing"]) == (1, 1)

    objects = CheckpointObjects(target, bucket, RUN)
    late = Drill(
        source=objects, into=tmp_path / "late", wait_seconds=1, sleep=lambda _: _put(s3, bucket, 200, CONTENTS)
    )
    assert [fault.kind.value for fault in late.run().faults] == ["late"]


def test_what_cannot_be_drilled_is_said(command: Command, bucket: str, tmp_path: Path) -> None:
    (tmp_path / "mine").touch()
    full = command(*DRILL, "--into", str(tmp_path))
    assert (full.status, full.ids) == (1, ["E9500"])
    assert "is not an empty folder" in full.document["findings"][0]["message"]
    nothing = command(*DRILL, "--prefix", "elsewhere")
    assert (nothing.status, nothing.document["restored"]) == (1, None)
    absent = command(*DRILL, "--bucket", "absent")
    assert absent.status == 1
    assert "NoSuchBucket" in absent.document["findings"][0]["message"]
