"""The output of `neuron-cluster onboard`: the files that were written, and jobs that were not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from neuron_cluster.findings.finding import Finding
from neuron_cluster.findings.text import counted
from neuron_cluster.protocol.team_pack import PAGE, README, RUNBOOK, MissingJob, Pack, PackJob
from neuron_cluster.table import Table

ABOUT = {
    README: "access, storage, first job",
    PAGE: "the same page for a browser",
    RUNBOOK: "the commonest failures",
}


def pack_table(pack: Pack, folder: Path) -> Table:
    """A row for each file, and for each starter job that could not be rendered."""
    title = f"Hand-over pack of team {pack.team.name} on {pack.plan.name}, in {folder}"
    return Table(title, ("file", "holds"), tuple(_rows(pack)))


def _rows(pack: Pack) -> Iterator[tuple[str, str]]:
    for name in pack.files:
        job = pack.jobs.get(name)
        yield name, _size(job) if isinstance(job, PackJob) else ABOUT[PurePosixPath(name).name]
    for name, job in pack.jobs.items():
        if isinstance(job, MissingJob):
            yield f"no {name}", "; ".join(job.reasons)


def _size(job: PackJob) -> str:
    devices = counted(job.devices, "Neuron device") + (" each" if job.devices > 1 else "")
    queue = f"queue {job.queue}" if job.queue else "no queue"
    note = f"; {job.note}" if job.note else ""
    return f"{counted(job.nodes, 'node')} of {job.group}, {devices}, {queue}{note}"


def pack_as_data(pack: Pack, folder: Path, findings: Sequence[Finding]) -> dict[str, Any]:
    """Returns the document of ``--format json``; ``findings`` are those of the environment and of the jobs."""
    return {
        "environment": pack.plan.name,
        "team": pack.team.name,
        "folder": str(folder),
        "files": list(pack.files),
        "jobs": {name: _as_data(job) for name, job in pack.jobs.items()},
        "findings": [finding.as_dict() for finding in findings],
    }


def _as_data(job: PackJob | MissingJob) -> dict[str, Any]:
    if isinstance(job, MissingJob):
        return {"is_written": False, "reasons": list(job.reasons)}
    return {
        "is_written": True,
        "namespace": job.namespace,
        "queue": job.queue,
        "node_group": job.group,
        "nodes": job.nodes,
        "devices_per_node": job.devices,
        "note": job.note,
    }
