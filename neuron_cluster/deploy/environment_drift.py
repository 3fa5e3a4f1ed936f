"""The drift of an environment on AWS or on the local AWS, with what a deploy of its file would do to it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from datetime import datetime
from typing import Any

from msgspec.structs import replace

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.deploy.recorded_metadata import with_recorded_metadata
from neuron_cluster.deploy.template_diff import synthesized_templates
from neuron_cluster.deploy.work_folder import work_folder
from neuron_cluster.drift.changed_by import with_changed_by
from neuron_cluster.drift.environment_drift import DeployedEnvironment, read_drift
from neuron_cluster.drift.file_keys import with_edits
from neuron_cluster.drift.next_deploy import with_next_deploy
from neuron_cluster.drift.records import DeployEffect, EnvironmentDrift, NextDeploy
from neuron_cluster.errors import ToolkitError
from neuron_cluster.opened_environment import OpenedEnvironment
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.stack_description import stack_description
from neuron_cluster.plan.stack_table import stack_keys_of_deploy


def environment_drift(
    opened: OpenedEnvironment, destination: Destination, catalog: Catalog, at: datetime
) -> EnvironmentDrift:
    """Every difference with its event, the effect of a deploy and the edit of the file that would keep it.

    Templates are synthesized only where there is a difference. Raises ``ToolkitError`` where nothing is deployed, or no
    stack can be listed.
    """
    plan = opened.plan
    names = [plan.stack_name(stack_key) for stack_key in stack_keys_of_deploy()]
    deployed = DeployedEnvironment(destination.target, plan.account, names, catalog, descriptions=descriptions(plan))
    if not deployed.stacks:
        hint = "`neuron-cluster deploy` builds it; `neuron-cluster list` shows what is deployed"
        raise ToolkitError(f"{plan.name} is not deployed in {destination.description}", hint=hint)
    found = read_drift(plan.name, deployed, at)
    if not found.drifts:
        return found
    found = with_changed_by(found, destination.target, catalog)
    found = with_edits(found, deployed.resources, opened.checked.loaded)
    try:
        new = _synthesized(opened, destination)
    except ToolkitError as error:
        unknown = NextDeploy(DeployEffect.UNKNOWN, f"the file was not synthesized: {error.message}")
        return replace(found, drifts=tuple(replace(drift, next_deploy=unknown) for drift in found.drifts))
    return with_next_deploy(found, Comparison(deployed.templates, new, catalog))


def descriptions(plan: ClusterPlan) -> Mapping[str, str]:
    """The descriptions of the plan's stacks by their names."""
    keys = dict.fromkeys((*stack_keys_of_deploy(), *plan.stacks))
    return {plan.stack_name(stack_key): stack_description(plan, stack_key) for stack_key in keys}


def _synthesized(opened: OpenedEnvironment, destination: Destination) -> Mapping[str, Mapping[str, Any]]:
    """The templates that a deploy would send, with the lock that it would write; both are in temporary folders."""
    with ExitStack() as stack:
        recorded = with_recorded_metadata(opened, destination, stack.enter_context(work_folder()))
        return synthesized_templates(recorded.project.root, recorded.for_app, stack)
