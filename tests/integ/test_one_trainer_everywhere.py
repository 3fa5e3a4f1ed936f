"""One trainer on EKS, PCS, HyperPod and in a training job of SageMaker: each resumes from the checkpoint of another."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.checkpoints.newest_checkpoint import newest_checkpoint
from neuron_cluster.rehearsal import namespaces
from neuron_cluster.rehearsal.trainers import Trainer, jax_folder

from .test_rehearsal_on_slurm import STEPS, messages, right_state

pytestmark = pytest.mark.skipif(
    namespaces.why_unsupported() is not None, reason="this machine lets no user create namespaces"
)
RIGHT = [f"step {STEPS}, state {right_state()}"]
needs_jax = pytest.mark.skipif(jax_folder() is None, reason="JAX is not installed: make rehearse")
SHORT = ("--compile-seconds", "60")


class Places:
    """``folder`` gets what each rehearsal leaves.

    A place takes the moment of its end (empty: it trains to the end) and a folder of checkpoints, or None.
    """

    def __init__(self, command: Any, folder: Path, trainer: Trainer = Trainer.PLAIN) -> None:
        self._command, self._folder, self._number = command, folder, 0
        self._short = ("--trainer", trainer, *SHORT)

    def _kept(self) -> Path:
        self._number += 1
        return self._folder / f"kept-{self._number}"

    def _chart(self, environment: str, stop: str, given: Path | None, *options: str) -> tuple[Any, Path]:
        kept, place = self._kept(), "lustre/checkpoints/default/neuron-training"
        ran = self._command(
            *("workload", "rehearse", "neuron-training", environment, "--nodes", "2", "--claim", "lustre"),
            *self._short,
            *("--time", "image_pull=60", "--keep", str(kept)),
            *(("--file", f"{place}={given}") if given is not None else ()),
            *(("--fault", f"block-ended@{stop}") if stop else ()),
            *options,
        )
        return ran, next(kept.glob("claims/lustre/checkpoints/*/neuron-training"))

    def eks(self, stop: str, given: Path | None) -> tuple[Any, Path]:
        return self._chart("train-trn1", stop, given)

    def hyperpod_eks(self, stop: str, given: Path | None) -> tuple[Any, Path]:
        return self._chart("hyperpod-trn2", stop, given)

    def _slurm(self, environment: str, stop: str, given: Path | None) -> tuple[Any, Path]:
        kept = self._kept()
        ran = self._command(
            *("workload", "rehearse", "train-jax", environment, "--nodes", "2", *self._short, "--keep", str(kept)),
            *("--variable", "CHECKPOINT_DIRECTORY=/fsx/run"),
            *(("--file", f"fsx/run={given}") if given is not None else ()),
            *(("--fault", f"job-cancelled@{stop}") if stop else ()),
        )
        return ran, kept / "shared/fsx/run"

    def pcs(self, stop: str, given: Path | None) -> tuple[Any, Path]:
        return self._slurm("slurm-trn1", stop, given)

    def hyperpod(self, stop: str, given: Path | None) -> tuple[Any, Path]:
        return self._slurm("hyperpod-slurm-trn1", stop, given)

    def training_job(self, stop: str, given: Path | None) -> tuple[Any, Path]:
        store = self._kept()
        prefix = "checkpoint-bucket/sagemaker/jobs/shared/finetune/checkpoints"
        ran = self._command(
            *("workload", "rehearse", "finetune", "sagemaker-finetune", *self._short, "--s3", str(store)),
            *(("--file", f"s3://{prefix}={given}") if given is not None else ()),
            *(("--fault", f"job-stopped@{stop}") if stop else ()),
        )
        return ran, store / prefix


Place = Callable[[str, Path | None], tuple[Any, Path]]


def go_round(places: list[Place]) -> list[str]:
    """The report of the last one: each other is stopped a few steps after its start."""
    given, saved = None, 0
    for number, place in enumerate(places):
        stop = f"step={7 * (number + 1)}" if number < len(places) - 1 else ""
        ran, given = place(stop, given)
        resumed = messages(ran, "Resumed")
        assert resumed[0] == f"step {saved}", (number, ran.document)
        saved = int(str(newest_checkpoint(given)).removeprefix("step-"))
        assert layout(given, saved) == ["_manifest.json", "rank-0", "rank-1"]
    return messages(ran, "Trained")


def layout(folder: Path, step: int) -> list[str]:
    return sorted(path.name for path in (folder / f"step-{step:06d}").iterdir())


@pytest.mark.slow
def test_a_training_moves_from_eks_to_pcs_to_hyperpod_to_a_training_job_and_back(command: Any, tmp_path: Path) -> None:
    places = Places(command, tmp_path)
    assert go_round([places.eks, places.pcs, places.hyperpod, places.training_job, places.eks]) == RIGHT


@pytest.mark.exhaustive
def test_a_training_moves_the_other_way_round(command: Any, tmp_path: Path) -> None:
    places = Places(command, tmp_path)
    others = [places.training_job, places.hyperpod, places.pcs]
    assert go_round([places.hyperpod_eks, *others, places.hyperpod_eks]) == RIGHT


@pytest.mark.exhaustive
def test_the_remaining_pairs(command: Any, tmp_path: Path) -> None:
    for number, pair in enumerate(
        [("eks", "hyperpod"), ("hyperpod", "eks"), ("pcs", "training_job"), ("training_job", "pcs")]
    ):
        places = Places(command, tmp_path / str(number))
        first, second = (getattr(places, name) for name in pair)
        assert go_round([first, second]) == RIGHT


@needs_jax
@pytest.mark.exhaustive
def test_a_network_trains_as_if_it_had_stayed_in_one_place(command: Any, tmp_path: Path) -> None:
    """Its parts differ between the nodes."""
    whole = go_round([Places(command, tmp_path / "whole", Trainer.JAX).eks])
    places = Places(command, tmp_path / "moved", Trainer.JAX)
    assert go_round([places.eks, places.pcs, places.hyperpod, places.training_job, places.eks]) == whole
