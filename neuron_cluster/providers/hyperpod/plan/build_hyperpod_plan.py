"""Decisions about a HyperPod cluster: names, labels, taints, purchase options and addresses of its groups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from local_kubernetes.model.names import GROUP_LABEL, QUEUE_LABEL
from neuron_cluster.plan.address_plan import NodeAddresses
from neuron_cluster.plan.compute_group_plan import BootstrapPlan, ImagePlan
from neuron_cluster.plan.node_group_plan import NEURON_TAINT, TaintPlan, planned_taint
from neuron_cluster.planning.build_machine import known_instance_type
from neuron_cluster.providers.hyperpod.config.cluster import HyperPod, NodeRecovery
from neuron_cluster.providers.hyperpod.config.group import DeepHealthCheck, SoftwareUpdates
from neuron_cluster.providers.hyperpod.groups import IMAGE_FAMILY, HyperPodGroup, hyperpod_groups
from neuron_cluster.providers.hyperpod.life_cycle_script import TEXT, script_bucket_name
from neuron_cluster.providers.hyperpod.plan.build_instances import build_machine, physical_name
from neuron_cluster.providers.hyperpod.plan.build_slurm_plan import build_slurm_plan
from neuron_cluster.providers.hyperpod.plan.build_task_governance import build_task_governance
from neuron_cluster.providers.hyperpod.plan.hyperpod_plan import (
    HyperPodGroupPlan,
    HyperPodOnEksPlan,
    HyperPodPlan,
    SoftwareUpdatesPlan,
)

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.instance_type import InstanceType
    from neuron_cluster.lock.model import Lock
    from neuron_cluster.plan.machine_plan import MachinePlan
    from neuron_cluster.plan.network_plan import NetworkPlan
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment

CHECKS = {
    DeepHealthCheck.INSTANCE_STRESS: "InstanceStress",
    DeepHealthCheck.INSTANCE_CONNECTIVITY: "InstanceConnectivity",
}
"""Names of the API. Source: botocore 1.44.5, sagemaker DeepHealthCheckType."""
SECONDS = 60


def build_hyperpod_plan(
    environment: ResolvedEnvironment, network: NetworkPlan, catalog: Catalog, lock: Lock | None
) -> HyperPodPlan | None:
    """Returns the plan; None without the section. Raises ``LookupError`` where stage 1 rules were not run before."""
    hyperpod = environment.config.section(HyperPod)
    if hyperpod is None:
        return None
    if hyperpod.slurm is not None:
        return build_slurm_plan(hyperpod, environment, network, catalog, lock)
    config, governance = environment.config, hyperpod.task_governance
    groups = build_groups(environment, network, catalog)
    role, *parts = (catalog.hyperpod_roles[name] for name in _role_parts(groups))
    return HyperPodOnEksPlan(
        path=("hyperpod",),
        name=config.name,
        zone_id=config.network.zone_ids[0],
        has_recovery=hyperpod.node_recovery is NodeRecovery.AUTOMATIC,
        is_continuous=hyperpod.continuous,
        groups=groups,
        role_policies=role.managed_policies,
        role_statements=(*role.statements, *(statement for part in parts for statement in part.statements)),
        script_bucket=script_bucket_name(config.name, config.account, config.region),
        life_cycle_script=TEXT,
        task_governance=(
            build_task_governance(governance, environment, catalog, lock) if governance is not None else None
        ),
    )


def _role_parts(groups: Sequence[HyperPodGroupPlan]) -> Iterator[str]:
    """Yields the names of the rights of the execution role in the catalog."""
    yield from ("node", "node_on_eks")
    if any(group.software_updates is not None and group.software_updates.rollback_alarms for group in groups):
        yield "node_with_rollback"


def build_groups(
    environment: ResolvedEnvironment, network: NetworkPlan, catalog: Catalog
) -> tuple[HyperPodGroupPlan, ...]:
    """The instance groups as node groups of the Kubernetes cluster, in the order of the file."""
    name = environment.config.name
    return tuple(_group(group, name, network, catalog) for group in hyperpod_groups(environment))


def _group(group: HyperPodGroup, environment: str, network: NetworkPlan, catalog: Catalog) -> HyperPodGroupPlan:
    spec, machine = group.spec, build_machine(group, catalog)
    plan = group.training_plan
    return HyperPodGroupPlan(
        path=group.path,
        name=group.name,
        physical_name=physical_name(group, environment, network),
        machine=machine,
        image=ImagePlan(IMAGE_FAMILY, spec.ami_release),
        bootstrap=BootstrapPlan(),
        scaling=group.scaling,
        zone_ids=group.zone_ids,
        labels=_labels(group),
        taints=_taints(group, catalog),
        node_repair=None,
        team=group.team,
        queue=group.queue,
        has_network_topology=spec.network_topology,
        is_governed=group.is_governed,
        lends_rest=group.shares_idle_resources,
        node_addresses=_addresses(known_instance_type(group), machine),
        is_repaired=group.has_node_repair,
        has_job_resume=group.has_job_resume,
        min_instances=spec.count.min,
        deep_health_checks=tuple(CHECKS[check] for check in DeepHealthCheck if check in spec.deep_health_checks),
        training_plan_arn=plan.plan_arn if plan is not None else None,
        extra_volume_gib=spec.extra_volume.size_gib if spec.extra_volume is not None else None,
        software_updates=_updates(spec.software_updates),
    )


def _labels(group: HyperPodGroup) -> dict[str, str]:
    queue = {} if group.queue is None else {QUEUE_LABEL: group.queue}
    return {GROUP_LABEL: group.name, **queue, **group.spec.labels}


def _taints(group: HyperPodGroup, catalog: Catalog) -> tuple[TaintPlan, ...]:
    """The taint of Neuron nodes, then those of the file; HyperPod rejects taints together with deep health checks."""
    if group.spec.deep_health_checks:
        return ()
    own = (planned_taint(taint.key, taint.value, taint.effect.value, catalog) for taint in group.spec.taints)
    return (*((NEURON_TAINT,) if group.is_neuron else ()), *own)


def _addresses(row: InstanceType, machine: MachinePlan) -> NodeAddresses | None:
    """A node has pods on one interface alone, which holds all its addresses.

    Source: https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-prerequisites.html.
    """
    if row.ipv4_per_interface is None or row.network_cards is None:
        return None
    most = row.ipv4_per_interface - 1
    addresses = row.ipv4_per_interface + row.network_cards - 1
    return NodeAddresses(most, most, most, len(machine.interfaces), addresses, 0, addresses)


def _updates(spec: SoftwareUpdates | None) -> SoftwareUpdatesPlan | None:
    if spec is None:
        return None
    alarms = tuple(dict.fromkeys(spec.rollback_alarms))
    return SoftwareUpdatesPlan(spec.schedule, spec.batch_percent, spec.wait_minutes * SECONDS, alarms)
