"""Who saves checkpoints, and what: the section ``storage.checkpoints`` with its defaults."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from neuron_cluster.checkpoints.build_spec import writers_of
from neuron_cluster.checkpoints.request import CheckpointRequest, Writers, parameter_count
from neuron_cluster.checkpoints.spec import SaveMode

if TYPE_CHECKING:
    from neuron_cluster.config.storage import Checkpoints
    from neuron_cluster.resolved.compute_group import ClusterGroup
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


def candidate_groups(environment: ResolvedEnvironment) -> tuple[ClusterGroup, ...]:
    """Groups with Neuron devices, and those of which the catalog does not know it."""
    return tuple(group for group in environment.cluster_groups if group.is_neuron or group.instance_type is None)


def checkpoint_group(environment: ResolvedEnvironment, section: Checkpoints) -> ClusterGroup | None:
    """The group that the file names, else the first one; None where there is no such one."""
    named = (group for group in candidate_groups(environment) if section.group in (None, group.name))
    return next(named, None)


def checkpoint_writers(group: ClusterGroup) -> Writers | None:
    """All nodes that the group may have; None without a known instance type or number."""
    if group.instance_type is None or not group.scaling.maximum:
        return None
    return writers_of(group.instance_type, group.scaling.maximum, group.logical_nc_config)


def checkpoint_request(section: Checkpoints) -> CheckpointRequest:
    """The section in the words of the planner."""
    names = (each.name for each in structs.fields(CheckpointRequest))
    values = {name: getattr(section, name) for name in names}
    count = parameter_count(section.parameters) if section.parameters is not None else None
    return CheckpointRequest(**{**values, "parameters": count, "mode": SaveMode(section.mode.value)})
