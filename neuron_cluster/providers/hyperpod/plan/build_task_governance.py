"""Compute quotas of HyperPod for the quotas of teams.

A quota of a team is in Neuron devices of an instance group, a compute quota in instances or accelerators of an instance
type: groups of one type are added together. Limits of borrowing are absolute ones, as in the file
(https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-eks-operate-console-ui-governance-policies.html).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.plan.addon_plan import AddonPlan
from neuron_cluster.planning.build_machine import known_instance_type
from neuron_cluster.providers.hyperpod.groups import HyperPodGroup, hyperpod_groups
from neuron_cluster.providers.hyperpod.plan.task_governance_plan import (
    ComputeQuotaPlan,
    PriorityClassPlan,
    QuotaAmount,
    Strategy,
    TaskGovernancePlan,
)

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.team import Team, TeamQuota
    from neuron_cluster.lock.model import Lock
    from neuron_cluster.providers.hyperpod.config.task_governance import TaskGovernance
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment

ADDON = "amazon-sagemaker-hyperpod-taskgovernance"
PATH: KeyPath = ("hyperpod", "task_governance")


def build_task_governance(
    spec: TaskGovernance, environment: ResolvedEnvironment, catalog: Catalog, lock: Lock | None
) -> TaskGovernancePlan:
    """The add-on has the version of the lock, without one that of the catalog, whose Kueue the toolkit knows."""
    config = environment.config
    row = catalog.managed_addons.get(ADDON)
    if row is None:
        raise LookupError(f"the catalog has no add-on {ADDON}")
    groups = [group for group in hyperpod_groups(environment) if group.is_governed]
    return TaskGovernancePlan(
        path=PATH,
        addon=AddonPlan(
            PATH, ADDON, before_nodes=False, version=(lock.addons.get(ADDON) if lock else None) or row.pinned_version
        ),
        policy_name=config.name,
        priority_classes=tuple(PriorityClassPlan(each.name, each.weight) for each in spec.priority_classes),
        has_fair_share=spec.fair_share,
        shares_idle_resources=spec.idle_resource_sharing,
        quotas=tuple(
            _quota(team, ("teams", position), config.name, groups) for position, team in enumerate(config.teams)
        ),
    )


def sharing_strategy(quotas: Sequence[TeamQuota]) -> Strategy | None:
    """Returns the strategy of HyperPod for these quotas of a team; None where it has none (rule E2235)."""
    lends = {quota.lend in (None, quota.devices) for quota in quotas}
    if len(lends) > 1 or any(quota.lend not in (None, 0, quota.devices) for quota in quotas):
        return None
    borrows = any(quota.borrow != 0 for quota in quotas)
    if lends == {False}:
        return None if borrows else "DontLend"
    return "LendAndBorrow" if borrows else "Lend"


def _quota(team: Team, path: KeyPath, environment: str, groups: Sequence[HyperPodGroup]) -> ComputeQuotaPlan:
    strategy = sharing_strategy(team.quota)
    if strategy is None:  # rule E2235 ran before
        raise LookupError(f"HyperPod has no strategy for what {team.name} lends and borrows")
    by_type = _by_type(team.quota, groups)
    return ComputeQuotaPlan(
        path=path,
        name=f"{environment}-{team.name}",
        team=team.name,
        weight=team.weight,
        strategy=strategy,
        resources=tuple(
            _amount(name, sum(quota.devices for quota in quotas), groups) for name, quotas in by_type.items()
        ),
        borrows=tuple(_borrows(by_type, groups)) if strategy == "LendAndBorrow" else (),
    )


def _by_type(quotas: Iterable[TeamQuota], groups: Sequence[HyperPodGroup]) -> Mapping[str, list[TeamQuota]]:
    types = {group.name: group.spec.instance_type for group in groups}
    found: dict[str, list[TeamQuota]] = {}
    for quota in quotas:
        found.setdefault(types[quota.node_group], []).append(quota)
    return found


def _borrows(by_type: Mapping[str, Sequence[TeamQuota]], groups: Sequence[HyperPodGroup]) -> Iterator[QuotaAmount]:
    """The limit of the file, and at most all that the team has no quota of."""
    for name, quotas in by_type.items():
        own = sum(quota.devices for quota in quotas)
        others = max(0, _devices(name, groups) - own)
        limits = [quota.borrow for quota in quotas if quota.borrow is not None]
        most = min(sum(limits), others) if len(limits) == len(quotas) else others
        yield _amount(name, most, groups)


def _devices(instance_type: str, groups: Sequence[HyperPodGroup]) -> int:
    """Neuron devices of all instances of this type."""
    return sum(
        _devices_of_node(group) * group.spec.count.desired
        for group in groups
        if group.spec.instance_type == instance_type
    )


def _amount(instance_type: str, devices: int, groups: Sequence[HyperPodGroup]) -> QuotaAmount:
    node = next(_devices_of_node(group) for group in groups if group.spec.instance_type == instance_type)
    return QuotaAmount(instance_type, devices // node if devices % node == 0 else None, devices)


def _devices_of_node(group: HyperPodGroup) -> int:
    return known_instance_type(group).neuron_devices or 1
