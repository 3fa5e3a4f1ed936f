"""One verdict for each environment of ``list --status``, read as ``status`` reads it."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from neuron_cluster.aws.session import close_clients
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.deploy.destination import Destination, aws_destination, local_destination
from neuron_cluster.deploy.identity import Claim
from neuron_cluster.deploy.local_server import isolated_environ, running_endpoint
from neuron_cluster.opened_environment import checked_file
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.project import EnvironmentFile, Project
from neuron_cluster.protocol.status import Verdict
from neuron_cluster.report.status_words import WORDS
from neuron_cluster.status.environment_status import EnvironmentStatus, read_status


def listed_health(project: Project, claims: Sequence[Claim], *, is_local: bool) -> dict[str, EnvironmentStatus | None]:
    """The state of the environment of each file, without what concerns the file; None for a file with errors."""
    endpoint = running_endpoint(project.root) if is_local else None
    found: dict[str, EnvironmentStatus | None] = {}
    with isolated_environ() if is_local else contextlib.nullcontext():
        for claim in claims:
            plan = checked_file(EnvironmentFile(Path(claim.path), claim.file), project if is_local else None).draft
            found[claim.file] = None if plan is None else _read(plan, claim, _destination(plan, endpoint))
    return found


def health_text(status: EnvironmentStatus | None) -> str:
    """``healthy``; else how many lines are not, and the command that shows them."""
    if status is None:
        return "not read: the file has errors"
    counts = Counter(line.verdict for line in status.lines)
    bad = [verdict for verdict in Verdict if verdict is not Verdict.HEALTHY and counts[verdict]]
    text = ", ".join(f"{counts[verdict]} {WORDS[verdict]}" for verdict in bad)
    return f"{text}: `status` shows them" if text else WORDS[Verdict.HEALTHY]


def _destination(plan: ClusterPlan, endpoint: str | None) -> Destination:
    if endpoint is None:
        return aws_destination(plan.account, plan.region)
    return local_destination(endpoint, plan.account, plan.region)


def _read(plan: ClusterPlan, claim: Claim, destination: Destination) -> EnvironmentStatus:
    try:
        return read_status(
            plan,
            destination,
            load_catalog(),
            at=datetime.now(UTC),
            argument=claim.argument,
            of_file=lambda _deployed: None,
        )
    finally:
        if destination.is_local:
            close_clients(destination.target)
