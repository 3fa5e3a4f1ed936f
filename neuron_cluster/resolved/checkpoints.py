"""Who saves checkpoints, and what: the section ``storage.checkpoints`` with its defaults."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_cluster.checkpoints.build_spec import build_spec, writers_of
from neuron_cluster.checkpoints.plan_checkpoints import plan_checkpoints
from neuron_cluster.checkpoints.request import CheckpointRequest, Writers, invalid_fields, parameter_count
from neuron_cluster.checkpoints.spec import SaveMode
from neuron_cluster.config.lustre import LustreStorageType

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.checkpoints.file_system import FileSystem
    from neuron_cluster.config.checkpoints import Checkpoints
    from neuron_cluster.config.lustre import Lustre
    from neuron_cluster.resolved.compute_group import ClusterGroup
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment

STATE = ("optimizer", "precision")
"""Keys with a default that ``bytes_per_parameter`` replaces: a request has those that the file sets."""


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
    names = CheckpointRequest.__struct_fields__
    values = {name: getattr(section, name) for name in names if name not in STATE or name in section.model_fields_set}
    count = parameter_count(section.parameters) if section.parameters is not None else None
    return CheckpointRequest(**{**values, "parameters": count, "mode": SaveMode(section.mode.value)})


def chosen_file_system(environment: ResolvedEnvironment, catalog: Catalog) -> FileSystem | None:
    """The cheapest that takes the checkpoints; None where the file sets a capacity, or none can be chosen."""
    storage = environment.config.storage
    if storage is None or storage.checkpoints is None or storage.lustre is None:
        return None
    lustre = storage.lustre
    group = checkpoint_group(environment, storage.checkpoints)
    writers = checkpoint_writers(group) if group is not None else None
    deployment_type = lustre.deployment_type.value.upper()
    if lustre.capacity_gib is not None or writers is None or deployment_type not in catalog.lustre_performances:
        return None
    if lustre.storage_type is LustreStorageType.INTELLIGENT_TIERING:
        return None
    request = checkpoint_request(storage.checkpoints)
    if any(invalid_fields(request, writers, catalog)):
        return None
    spec = build_spec(request, writers, bucket=None, catalog=catalog)
    found = plan_checkpoints(
        spec, environment.config.region, deployment_type, catalog, tier=lustre.throughput_mbps_per_tib
    )
    return found.best.assessment.file_system if found.best is not None else None


def lustre_capacity_gib(environment: ResolvedEnvironment, lustre: Lustre, catalog: Catalog) -> int | None:
    """As given, else that of the file system that is chosen; None with Intelligent-Tiering, which has no capacity.

    Raises LookupError where rule E4023 finds neither.
    """
    if lustre.storage_type is LustreStorageType.INTELLIGENT_TIERING:
        return None
    if lustre.capacity_gib is not None:
        return lustre.capacity_gib
    chosen = chosen_file_system(environment, catalog)
    if chosen is None:
        raise LookupError("nothing decides the capacity of the file system")
    return chosen.capacity_gib
