"""``hyperpod.task_governance``, completely decided: add-on, cluster policy, and a compute quota for each team."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from local_kubernetes.model.hyperpod import PRIORITY_SUFFIX
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.plan.addon_plan import AddonPlan
from neuron_cluster.plan.generated_name import GeneratedName
from neuron_cluster.plan.job_priority import JobPriority

Strategy = Literal["Lend", "DontLend", "LendAndBorrow"]


class QuotaAmount(Struct, frozen=True):
    """An amount of one instance type."""

    instance_type: str
    """Name of SageMaker."""
    instances: int | None
    """Whole instances; None for a part of one."""
    devices: int
    """Neuron devices: ``Accelerators`` of the template where ``instances`` is None."""


class PriorityClassPlan(Struct, frozen=True):
    """A priority class of the cluster policy."""

    name: str
    """As in the file: jobs name it with ``-priority`` at its end."""
    weight: int
    """From 0 to 100."""


class ComputeQuotaPlan(Struct, frozen=True):
    """The share of one team."""

    path: KeyPath
    """The path of the team in the file."""
    name: str
    """In SageMaker."""
    team: str
    """Name of the team."""
    weight: int
    """Share of idle instances relative to other teams."""
    strategy: Strategy
    """Whether it lends and borrows."""
    resources: tuple[QuotaAmount, ...]
    """Reserved for it, by instance type."""
    borrows: tuple[QuotaAmount, ...]
    """The most that it borrows of each instance type of ``resources``; empty for a team that does not borrow."""


class TaskGovernancePlan(Struct, frozen=True):
    """The add-on of task governance, the cluster policy, and the compute quotas of teams."""

    path: KeyPath
    """The path of the key in the file."""
    addon: AddonPlan
    """The managed add-on, which brings Kueue."""
    policy_name: str
    """Name of the cluster policy in SageMaker."""
    priority_classes: tuple[PriorityClassPlan, ...]
    """In the order of the file."""
    has_fair_share: bool
    """Whether idle instances go to teams by their weights."""
    shares_idle_resources: bool
    """Whether teams may borrow what is in no quota."""
    quotas: tuple[ComputeQuotaPlan, ...]
    """In the order of the teams in the file."""

    def generated_names(self) -> Iterator[GeneratedName]:
        """Yields the names that SageMaker limits."""
        yield GeneratedName(("name",), "the cluster policy", self.policy_name, "scheduler_config_name")
        for quota in self.quotas:
            yield GeneratedName((*quota.path, "name"), "the compute quota", quota.name, "compute_quota_name")

    def job_priorities(self) -> Iterator[JobPriority]:
        """Yields the classes as jobs name them; without a class a job has the weight 0."""
        for each in sorted(self.priority_classes, key=lambda found: -found.weight):
            effect = "Goes before jobs of a lower weight, and stops those of its team, and those that borrow."
            yield JobPriority(f"{each.name}{PRIORITY_SUFFIX}", each.weight, effect)
