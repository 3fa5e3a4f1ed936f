"""Decisions about a PCS cluster: size, settings, queues, groups with their generic resources."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from neuron_cluster.plan.compute_group_plan import BootstrapPlan, ImagePlan
from neuron_cluster.plan.machine_plan import SecurityGroupRole
from neuron_cluster.planning.build_dlami_group import build_dlami_group, build_dlami_image, known_dlami
from neuron_cluster.planning.build_machine import build_machine, known_instance_type
from neuron_cluster.planning.build_teams import build_user_teams
from neuron_cluster.providers.pcs.config.cluster import Slurm
from neuron_cluster.providers.pcs.config.group import ComputeNodeGroup
from neuron_cluster.providers.pcs.groups import SlurmGroup, login_group, slurm_groups
from neuron_cluster.providers.pcs.image.build_image_plan import build_image_plan
from neuron_cluster.providers.pcs.lock_part import built_image
from neuron_cluster.providers.pcs.plan.build_node_start import build_node_start
from neuron_cluster.providers.pcs.plan.slurm_plan import SlurmGroupPlan, SlurmPlan
from neuron_cluster.schedulers.slurm.cluster import SlurmQueuePlan
from neuron_cluster.schedulers.slurm.gres import gres_of
from neuron_cluster.schedulers.slurm.queue_defaults import default_queue, has_whole_nodes
from neuron_cluster.schedulers.slurm.script_settings import FIXED, LISTS, merged_list, script_settings

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.slurm import PcsSize
    from neuron_cluster.lock.model import Lock
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment

SECURITY_GROUPS = (SecurityGroupRole.CLUSTER, SecurityGroupRole.NODE)
"""PCS requires the cluster's group on its nodes; the other one reaches AWS services and file systems."""
CLUSTER_SETTINGS: Mapping[str, str] = {"SelectTypeParameters": "CR_CPU_Memory"}
"""CPUs and memory are both allocated. The file may set others.

Source: https://docs.aws.amazon.com/pcs/latest/userguide/slurm-accounting.html (example).
"""
CGROUP_SETTINGS: Mapping[str, str] = {"ConstrainCores": "yes", "ConstrainDevices": "yes"}
"""A job reaches its own cores and Neuron devices only."""


def build_slurm_plan(environment: ResolvedEnvironment, catalog: Catalog, lock: Lock | None) -> SlurmPlan | None:
    """Returns the plan; None without the section. Raises ``LookupError`` where stage 1 rules were not run before."""
    slurm, login = environment.config.section(Slurm), login_group(environment)
    if slurm is None or login is None:
        return None
    version = catalog.slurm_versions.get(slurm.version)
    if version is None:
        raise LookupError(f"the catalog has no Slurm version {slurm.version}")
    size = cluster_size(slurm, catalog)
    built = built_image(lock)
    dlami = known_dlami(login.dlami, login.dlami_name)
    image = build_dlami_image(dlami, None, slurm.ami_id or (built.image_id if built is not None else None))
    return SlurmPlan(
        path=("slurm",),
        name=environment.config.name,
        version=slurm.version,
        size=size.name,
        size_nodes=size.nodes,
        has_accounting=slurm.accounting,
        idle_seconds=slurm.idle_minutes * 60,
        settings=_cluster_settings(slurm),
        cgroup_settings=CGROUP_SETTINGS,
        log_types=version.log_types,
        zone_id=environment.config.network.zone_ids[0],
        login=_group(login, image, environment, catalog),
        groups=tuple(_group(group, image, environment, catalog) for group in slurm_groups(environment)),
        queues=_queues(slurm, environment),
        teams=build_user_teams(environment.config, lock),
        image=build_image_plan(slurm, dlami, environment, catalog, lock),
    )


def cluster_size(slurm: Slurm, catalog: Catalog) -> PcsSize:
    """Returns the file's size, else the least for all instances. Raises ``LookupError`` where none is large enough."""
    if slurm.size is not None:
        return catalog.pcs_sizes[slurm.size]
    fitting = (size for size in catalog.pcs_sizes if maximum_nodes(slurm) <= size.nodes)
    found = next(fitting, None)
    if found is None:
        raise LookupError(f"no size of a PCS cluster has {maximum_nodes(slurm)} nodes")
    return found


def maximum_nodes(slurm: Slurm) -> int:
    """Instances of all groups at their largest size, the login group among them, as PCS counts."""
    return slurm.login.count.max + sum(group.count.max for group in slurm.groups)


def _cluster_settings(slurm: Slurm) -> dict[str, str]:
    """Returns settings of the toolkit and the file: lists are joined, scripts are the toolkit's (rule E2111)."""
    ours = {**CLUSTER_SETTINGS, **script_settings()}
    lists = {name: merged_list(ours[name], slurm.settings[name]) for name in LISTS if name in slurm.settings}
    fixed = {name: ours[name] for name in FIXED}
    return dict(sorted({**ours, **slurm.settings, **lists, **fixed}.items()))


def _queues(slurm: Slurm, environment: ResolvedEnvironment) -> tuple[SlurmQueuePlan, ...]:
    default, groups = default_queue(slurm.queues), slurm_groups(environment)
    plans = []
    for position, queue in enumerate(slurm.queues):
        whole = has_whole_nodes(queue, groups)
        decided = {"Default": "YES" if queue is default else "NO"} | ({"OverSubscribe": "EXCLUSIVE"} if whole else {})
        settings = dict(sorted({**queue.settings, **decided}.items()))
        path = ("slurm", "queues", position)
        plans.append(SlurmQueuePlan(path, queue.name, tuple(queue.groups), queue is default, whole, settings))
    return tuple(plans)


def _group(group: SlurmGroup, image: ImagePlan, environment: ResolvedEnvironment, catalog: Catalog) -> SlurmGroupPlan:
    region = environment.config.region
    machine = build_machine(group, region, catalog, SECURITY_GROUPS)
    gres = gres_of(known_instance_type(group))
    own = group.spec.settings if isinstance(group.spec, ComputeNodeGroup) else {}
    settings = {**own, "Gres": gres.requested} if gres is not None else own
    slurm = environment.config.section(Slurm)
    queues = slurm.queues if slurm is not None else ()
    return build_dlami_group(
        SlurmGroupPlan,
        group,
        region,
        catalog,
        None,
        machine=machine,
        image=image,
        bootstrap=BootstrapPlan(),
        start=build_node_start(group, machine, environment, catalog),
        physical_name=physical_name(group.name, environment.config.name, machine.instance_type),
        settings=dict(sorted(settings.items())),
        gres=gres,
        queues=tuple(queue.name for queue in queues if group.name in queue.groups),
    )


def physical_name(name: str, environment: str, instance_type: str) -> str:
    """Hashed over what makes PCS replace a group: its cluster and instance type. Plan values only, never tokens."""
    identity = {"cluster": environment, "instance_types": [instance_type]}
    digest = hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()
    return f"{name}-{digest[:6]}"
