"""The folder and the outcome of a rehearsal of hosts that are not pods."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from neuron_cluster.rehearsal.host_run import HostRun
from neuron_cluster.rehearsal.isolated import require_support, run_isolated
from neuron_cluster.rehearsal.outcome import COMPLETED, NodeUse, Outcome, progress_of
from neuron_cluster.rehearsal.trainers import Trainer

NO_DEVICES = "no EFA and no Neuron device: programs of the Neuron SDK find none"


def run_in_folder(
    keep: Path | None, work: Callable[[Path], bytes], fill: Callable[[Path], None] = lambda _folder: None
) -> bytes:
    """Returns the result of ``work``, which runs in namespaces of its own, and gets ``keep`` or a temporary folder.

    ``fill`` is called before, in this process. Raises ``ToolkitError`` where this machine cannot run containers, and
    what ``fill`` raises.
    """
    require_support()
    folder = keep if keep is not None else Path(tempfile.mkdtemp(prefix="neuron-cluster-rehearsal-"))
    folder.mkdir(parents=True, exist_ok=True)
    try:
        fill(folder)
        return run_isolated(lambda: work(folder.resolve()))
    finally:
        if keep is None:
            shutil.rmtree(folder, ignore_errors=True)


def trainer_words(trainer: Trainer | None) -> list[str]:
    """The sentence about the training program; empty where the user's own ran."""
    return [f"the training program is {trainer} of `workload rehearse`, on CPUs"] if trainer is not None else []


def host_outcome(
    run: HostRun,
    *,
    ended: str,
    why: str,
    attempts: int,
    instances: Sequence[NodeUse],
    hourly_usd: float | None,
    trainer: Trainer | None,
    not_modelled: Sequence[str],
    files: Sequence[object],
) -> Outcome:
    """``hourly_usd`` is the price of an instance."""
    events = tuple(run.timeline.events)
    hours = sum(use.ended_at - use.started_at for use in instances) / 3600
    return Outcome(
        ended=ended,
        why="" if ended == COMPLETED else why,
        seconds=round(run.clock.now(), 1),
        progress=progress_of(events) if any(event.reason in ("Resumed", "Step") for event in events) else None,
        requests=None,
        counted_restarts=0,
        uncounted_restarts=attempts - 1,
        nodes=tuple(instances),
        usd=None if hourly_usd is None else round(hours * hourly_usd, 2),
        events=events,
        trainer=trainer,
        not_modelled=tuple(not_modelled),
        missed_faults=tuple(run.faults.missed),
        replaced_programs=tuple(sorted(run.programs.replaced)),
        files=tuple(map(str, files)),
    )
