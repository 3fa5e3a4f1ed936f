"""The schedulers of this process. Each registers itself when its module ``scheduler`` is imported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_cluster.findings.discovery import import_by_place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from neuron_cluster.findings.finding import Finding
    from neuron_cluster.plan.cluster_plan import ClusterPlan
    from neuron_cluster.protocol.scheduler import Scheduler
    from neuron_cluster.protocol.workload import Workload

PLACE = ("schedulers", "scheduler")

_registered: dict[str, Scheduler] = {}


def register_scheduler(scheduler: Scheduler) -> None:
    """Adds a scheduler. Raises ``ValueError`` for a name that another one has."""
    if _registered.setdefault(scheduler.name, scheduler) is not scheduler:
        raise ValueError(f"two schedulers have the name {scheduler.name}")


def unregister_scheduler(scheduler: Scheduler) -> None:
    """Removes what ``register_scheduler`` added. Raises ``KeyError`` for an unknown one."""
    del _registered[scheduler.name]


def schedulers() -> tuple[Scheduler, ...]:
    """All of them by name, without importing a provider; those of the toolkit are found by their place."""
    import_by_place(*PLACE)
    return tuple(_registered[name] for name in sorted(_registered))


def all_workloads() -> Iterator[tuple[Scheduler, Workload]]:
    """Workloads of all schedulers."""
    return ((scheduler, workload) for scheduler in schedulers() for workload in scheduler.workloads())


def find_workload(name: str) -> tuple[Scheduler, Workload] | None:
    """The workload of this name, and its scheduler."""
    return next((found for found in all_workloads() if found[1].name == name), None)


def own_workloads(plan: ClusterPlan) -> Iterator[tuple[Scheduler, Workload]]:
    """Workloads that the file of an environment names."""
    return ((scheduler, workload) for scheduler in schedulers() for workload in scheduler.own_workloads(plan))


def find_own_workload(name: str, plan: ClusterPlan) -> tuple[Scheduler, Workload] | None:
    """The workload of this name that the file of an environment names."""
    return next((found for found in own_workloads(plan) if found[1].name == name), None)


def require_workload(name: str, plan: Callable[[], ClusterPlan]) -> tuple[Scheduler, Workload]:
    """The same, or one that the file of an environment names; ``plan`` is called for a name that no scheduler has.

    Raises ``InvalidEnvironment`` with finding E9201 for a name that is none.
    """
    from neuron_cluster.errors import InvalidEnvironment

    found = find_workload(name) or find_own_workload(name, plan())
    if found is None:
        why = next(filter(None, (each.why_none(name) for each in schedulers())), None)
        known = [workload.name for _, workload in (*own_workloads(plan()), *all_workloads())]
        raise InvalidEnvironment([unknown_workload(name, known, why)])
    return found


def unknown_workload(name: str, known: Sequence[str], why: str | None) -> Finding:
    """E9201. ``why`` is what the name stands for, where that is known."""
    from neuron_cluster.findings.finding import Finding, Location
    from neuron_cluster.findings.suggestions import did_you_mean_one_of

    hint = f"{did_you_mean_one_of(name, known)}workloads: {', '.join(known)}"
    return Finding("E9201", Location(name), why or f'there is no workload "{name}"', hint)
