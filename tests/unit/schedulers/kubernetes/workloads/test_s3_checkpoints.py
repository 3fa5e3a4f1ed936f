"""NxD that saves to S3: the memory of /dev/shm for its files, and the Region."""

from __future__ import annotations

from typing import Any

import pytest

from neuron_cluster.errors import InvalidEnvironment
from neuron_cluster.findings.finding import Finding
from neuron_cluster.sizing.model_shape import ModelShape
from tests.unit.schedulers.kubernetes.conftest import Choose

ADDRESS = "s3://bucket/checkpoints/run"
REGION = {"name": "AWS_REGION", "value": "us-west-2"}
XSER = {"storage.checkpoints": {"framework": "nxd_xser", "model": "llama-3.1-70b", "tensor_parallel": "32",
                                "tensors_per_rank": "80", "mode": "async", "drill": "@weekly"}}  # fmt: skip


def shape(parameters: int | None, largest_tensor: int | None = None) -> ModelShape:
    return ModelShape("own", 80, 64, 8, 128, parameters, None, is_certain=True, largest_tensor=largest_tensor)


def found(
    choose: Choose, *, env: list[Any], args: list[str], memory: int = 128, parameters: int | None = 70_000_000_000,
    front_end: str = "nxd", nodes: int = 1, edits: dict[str, Any] | None = None, largest_tensor: int | None = None,
) -> list[Finding]:  # fmt: skip
    given = {
        "trainer": {"program": ["train.py"], "args": args, "env": env},
        "machine": {"sharedMemoryGib": memory},
        "stop": {"graceSeconds": 36_000},
    }
    asked: dict[str, Any] = {"claim": "lustre", "front_end": front_end, "nodes": nodes, "given": given}
    try:
        findings = choose(
            "neuron-training", "train-trn1", edits, model=shape(parameters, largest_tensor), **asked
        ).findings
    except InvalidEnvironment as error:
        findings = error.findings
    return [each for each in findings if each.id in ("E9268", "W9269", "W9270")]


def ids(findings: list[Finding]) -> list[str]:
    return [each.id for each in findings]


@pytest.mark.parametrize(
    ("args", "env"),
    [
        ([f"--checkpoint_dir={ADDRESS}"], [REGION]),
        (["--ckpt-path", ADDRESS], [REGION]),
        ([], [REGION, {"name": "CHECKPOINTS", "value": ADDRESS}]),
    ],
)
@pytest.mark.hints("E9268", "W9269")
def test_shared_memory_holds_the_files(choose: Choose, args: list[str], env: list[Any]) -> None:
    """70 billion parameters are 840 GB: 26.25 GB for each of the 32 ranks of a node."""
    (error,) = found(choose, args=args, env=env, memory=24)
    assert (error.id, error.location.path) == ("E9268", "machine.sharedMemoryGib")
    assert "a rank writes about 24.4 GiB" in error.message
    (warning,) = found(choose, args=args, env=env, memory=25)
    assert (warning.id, "8 ranks write about 24.4 GiB each" in warning.message) == ("W9269", True)
    for finding in (error, warning):
        assert "machine.sharedMemoryGib=196" in finding.hint
    assert found(choose, args=args, env=env, memory=196) == []
    assert found(choose, args=args, env=env, memory=25, nodes=8) == []


@pytest.mark.hints("W9270")
def test_the_region_is_set(choose: Choose) -> None:
    args = [f"--checkpoint_dir={ADDRESS}"]
    (warning,) = found(choose, args=args, env=[], parameters=None)
    assert (warning.id, warning.location.path) == ("W9270", "trainer.env")
    assert "{name: AWS_REGION, value: us-west-2}" in warning.hint
    assert found(choose, args=args, env=[REGION], parameters=None) == []


@pytest.mark.parametrize(
    "other",
    [
        {"args": [f"--data={ADDRESS}"]},
        {"args": ["--checkpoint_dir=/checkpoints"]},
        {"args": [f"--checkpoint_dir={ADDRESS}"], "front_end": "jax"},
    ],
)
def test_other_programs_need_neither(choose: Choose, other: dict[str, Any]) -> None:
    assert found(choose, env=[], memory=1, **other) == []


def test_files_of_single_tensors_have_no_known_size(choose: Choose) -> None:
    args = [f"--checkpoint_dir={ADDRESS}"]
    assert found(choose, args=args, env=[REGION], memory=1, edits=XSER) == []


def test_each_rank_writes_one_tensor_at_a_time_with_xser(choose: Choose) -> None:
    """Embeddings of 128,256 x 8,192 in fp32 over 32 ranks: 131 MB for each of the 32 ranks of a node, 4.2 GB."""
    args, edits = [f"--checkpoint_dir={ADDRESS}"], {"edits": XSER, "largest_tensor": 128_256 * 8_192}
    (warning,) = found(choose, args=args, env=[REGION], memory=3, **edits)
    assert (warning.id, "32 ranks write tensors of up to 0.1 GiB each" in warning.message) == ("W9269", True)
    assert "machine.sharedMemoryGib=4," in warning.hint
    assert found(choose, args=args, env=[REGION], memory=4, **edits) == []
    huge = edits | {"largest_tensor": 40 * 128_256 * 8_192}
    (error,) = found(choose, args=args, env=[REGION], memory=4, **huge)
    assert (error.id, "a rank writes tensors of up to 4.9 GiB" in error.message) == ("E9268", True)
