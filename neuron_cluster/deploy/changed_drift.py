"""The drift of what a deploy changes, and its findings: CloudFormation itself compares templates only."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from datetime import UTC, datetime

from neuron_cluster.aws.reading import NotRead, reading
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.deploy.environment_drift import descriptions
from neuron_cluster.drift.changed_by import with_changed_by
from neuron_cluster.drift.environment_drift import DeployedEnvironment, read_drift
from neuron_cluster.drift.file_keys import with_edits
from neuron_cluster.drift.findings import deploy_finding, unread_findings
from neuron_cluster.drift.next_deploy import with_next_deploy
from neuron_cluster.drift.records import EnvironmentDrift, Uncompared
from neuron_cluster.drift.selection import Selection, changed_resources, weakened_resources
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.opened_environment import OpenedEnvironment
from neuron_cluster.plan.cluster_plan import ClusterPlan


def drift_of_changes(
    opened: OpenedEnvironment, destination: Destination, comparison: Comparison, *, reads_protection: bool = False
) -> EnvironmentDrift | None:
    """The drift of the resources that a deploy changes; None, without a call, where it changes none that exists.

    ``reads_protection``: also of the other resources, what keeps data from the public and from deletion.
    """
    of_others = weakened_resources(comparison) if reads_protection else {}
    selected = {**of_others, **changed_resources(comparison)}
    if not selected:
        return None
    plan, target = opened.plan, destination.target
    own = descriptions(plan)
    read = functools.partial(DeployedEnvironment, target, plan.account, [*own], destination.catalog, descriptions=own)
    deployed = reading("cloudformation", read)
    if isinstance(deployed, NotRead):
        return _nothing_read(plan, selected, deployed)
    found = read_drift(plan.name, deployed, datetime.now(UTC), selected)
    if not found.drifts:
        return found
    found = with_changed_by(found, target, destination.catalog)
    found = with_edits(found, deployed.resources, opened.checked.loaded)
    return with_next_deploy(found, comparison)


def findings_of_drift(found: EnvironmentDrift, opened: OpenedEnvironment) -> Iterator[Finding]:
    """W9597 for drift that the deploy sets otherwise or fails at, W9598 for less protection that it leaves as it is,
    and W9595 for each call that failed."""
    for drift in found.drifts:
        place = Location(drift.stack, path=f"{drift.logical_id}{drift.property}")
        location = opened.locate(drift.edit.path) if drift.edit is not None else place
        finding = deploy_finding(drift, location)
        if finding is not None:
            yield finding
    yield from unread_findings(found)


def _nothing_read(plan: ClusterPlan, selected: Selection, failed: NotRead) -> EnvironmentDrift:
    part = Uncompared(
        reason=failed.reason, resources=tuple(map(str, selected)), call=failed.call, is_denied=failed.is_denied
    )
    return EnvironmentDrift(
        environment=plan.name,
        account=plan.account,
        region=plan.region,
        at=datetime.now(UTC),
        stacks=(),
        resources=len(selected),
        compared=0,
        drifts=(),
        uncompared=(part,),
        calls=1,
    )
