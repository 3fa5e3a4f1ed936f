"""What `neuron-cluster onboard` prints: the files that were written, and jobs that were not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from neuron_cluster.findings.finding import Finding
from neuron_cluster.handover.guide import INTERACTIVE, RUNBOOK, SERVING, SMOKE_TEST, TRAINING
from neuron_cluster.handover.pack import Pack
from neuron_cluster.handover.starter_jobs import NoJob, StarterJob
from neuron_cluster.table import Table

ABOUT = {
    "README.md": "login, queue, quota, storage, images, first job",
    "index.html": "the same page for a browser",
    RUNBOOK: "the five commonest failures",
}


def pack_table(pack: Pack, folder: Path) -> Table:
    """A row for each file, and for each starter job that could not be rendered."""
    team, plan = pack.hand_over.team, pack.hand_over.plan
    return Table(
        f"Hand-over pack of team {team.name} on {plan.name}, in {folder}", ("file", "holds"), tuple(_rows(pack))
    )


def _rows(pack: Pack) -> Iterator[tuple[str, str]]:
    jobs = _jobs(pack)
    for name in pack.files:
        job = jobs.get(name)
        yield name, _size(job) if isinstance(job, StarterJob) else ABOUT[name]
    for name, job in jobs.items():
        if isinstance(job, NoJob):
            yield f"no {name}", "; ".join(job.reasons)


def _jobs(pack: Pack) -> dict[str, StarterJob | NoJob]:
    made = pack.hand_over
    return {TRAINING: made.training, SERVING: made.serving, INTERACTIVE: made.one_device, SMOKE_TEST: made.one_device}


def _size(job: StarterJob) -> str:
    size = job.size
    nodes = "1 node" if size.nodes == 1 else f"{size.nodes} nodes"
    devices = "1 Neuron device" if size.devices == 1 else f"{size.devices} Neuron devices each"
    queue = f"queue {size.share.queue}" if size.share.queue else "no queue"
    note = f"; {size.note}" if size.note else ""
    return f"{nodes} of {size.share.group.name}, {devices}, {queue}{note}"


def pack_as_data(pack: Pack, folder: Path, findings: Sequence[Finding]) -> dict[str, Any]:
    """For ``--format json``; ``findings`` are those of the environment and of the jobs."""
    jobs = _jobs(pack)
    return {
        "environment": pack.hand_over.plan.name,
        "team": pack.hand_over.team.name,
        "folder": str(folder),
        "files": list(pack.files),
        "jobs": {name: _as_data(job) for name, job in jobs.items()},
        "findings": [finding.as_dict() for finding in findings],
    }


def _as_data(job: StarterJob | NoJob) -> dict[str, Any]:
    if isinstance(job, NoJob):
        return {"is_written": False, "reasons": list(job.reasons)}
    size = job.size
    return {
        "is_written": True,
        "namespace": job.namespace,
        "queue": size.share.queue,
        "node_group": size.share.group.name,
        "nodes": size.nodes,
        "devices_per_node": size.devices,
        "note": size.note,
    }
