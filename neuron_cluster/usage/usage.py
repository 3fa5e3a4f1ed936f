"""Device-hours by team, from the answers of Prometheus and the prices of the environment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.cost.blocks import block_cost
from neuron_cluster.cost.machine_lines import instance_line
from neuron_cluster.cost.model import Sum, sum_of
from neuron_cluster.errors import ToolkitError
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.plan.node_group_plan import NodeGroupPlan
from neuron_cluster.usage.answers import Series
from neuron_cluster.usage.queries import CAPACITY, RESERVED, USED
from neuron_cluster.usage.window import Window

NO_TEAM = "no team"
"""Jobs of namespaces that belong to none."""
DRA = "dra"

ByHour = Mapping[int, float]
"""Devices by the end of the hour; an hour without data is absent."""


class TeamUsage(Struct, frozen=True, kw_only=True):
    """Device-hours of one team. A sum without a value for each hour has no ``exact``."""

    name: str
    reserved: Sum
    used: Sum
    used_share: float | None
    """The used share of the reserved device-hours, in the hours that have both; None without any."""
    usd: Sum
    """Reserved device-hours at the price of the node group."""
    missing: tuple[int, ...]
    """Hours without data of what is reserved."""


class Usage(Struct, frozen=True, kw_only=True):
    """The usage of an environment."""

    environment: str
    window: Window
    teams: tuple[TeamUsage, ...]
    capacity: Sum
    """Device-hours of the nodes that ran."""
    reserved: Sum
    idle: Sum
    """Capacity that no queue reserved."""
    missing: Mapping[str, tuple[int, ...]]
    """Hours without data, by query."""
    unpriced: tuple[str, ...]
    """Node groups whose price is not known."""


class Rate(Struct, frozen=True):
    """The rate of one flavor of Kueue."""

    group: str
    devices: int
    """Neuron devices of what Kueue counts as one."""
    usd: float | None
    """USD for an hour of one device."""


def require_queue(plan: ClusterPlan) -> None:
    """Raises ``ToolkitError`` for an environment in which Kueue admits no jobs."""
    if plan.kubernetes is None:
        message = f"{plan.name} has no Kubernetes cluster: Kueue counts no devices"
        raise ToolkitError(message, hint="name another environment; `neuron-cluster cost` needs no cluster")
    if plan.kubernetes.is_governed:
        message = f"task governance of HyperPod admits the jobs of {plan.name}: its Kueue is not scraped"
        raise ToolkitError(message, hint="read the tab Dashboard of the cluster in the console of SageMaker")
    if not plan.kubernetes.queues:
        message = f"{plan.name} has no node group with a queue: Kueue counts no devices"
        raise ToolkitError(
            message, hint="set `queue` of a node group, and `teams`; `neuron-cluster cost` needs neither"
        )


def usage_of(plan: ClusterPlan, catalog: Catalog, window: Window, answers: Mapping[str, Sequence[Series]]) -> Usage:
    """``answers`` by the name of the query."""
    cluster = plan.kubernetes
    if cluster is None:
        raise LookupError(f"{plan.name} has no Kubernetes cluster")
    rates = _rates(plan, cluster, catalog)
    reserved, used = answers.get(RESERVED, ()), answers.get(USED, ())
    queues = _owners({team.name: map(team.cluster_queue, cluster.queues) for team in cluster.teams}, cluster.queues)
    spaces = _owners({team.name: team.namespaces for team in cluster.teams}, ())
    owners = dict.fromkeys((*(team.name for team in cluster.teams), NO_TEAM))
    unknown = (each.labels.get("cluster_queue", "") for each in reserved)
    owners |= dict.fromkeys(queue for queue in unknown if queue and queue not in queues)
    teams = tuple(
        _team(
            name,
            window,
            [each for each in reserved if _owner(each, "cluster_queue", queues) == name],
            [each for each in used if spaces.get(each.labels.get("namespace", ""), NO_TEAM) == name],
            rates,
        )
        for name in owners
    )
    total = _by_hour(reserved, window, lambda each: _devices(each, rates))
    capacity = _by_hour(answers.get(CAPACITY, ()), window)
    idle = {hour: max(0.0, capacity[hour] - total[hour]) for hour in capacity.keys() & total.keys()}
    known = {RESERVED: total, USED: _by_hour(used, window), CAPACITY: capacity}
    return Usage(
        environment=plan.name,
        window=window,
        teams=teams,
        capacity=_sum(capacity, window),
        reserved=_sum(total, window),
        idle=_sum(idle, window),
        missing={name: _missing(values, window) for name, values in known.items()},
        unpriced=tuple(dict.fromkeys(each.group for each in rates.values() if each.usd is None)),
    )


def _team(
    name: str, window: Window, reserved: Sequence[Series], used: Sequence[Series], rates: Mapping[str, Rate]
) -> TeamUsage:
    held = _by_hour(reserved, window, lambda each: _devices(each, rates))
    measured = _by_hour(used, window)
    # No series of a namespace means no running pod, where Kueue reserved nothing; else nothing is known of the hour.
    busy = {hour: measured.get(hour, 0.0) for hour in held if hour in measured or not held[hour]}
    both = sum(held[hour] for hour in busy)
    missing = _missing(held, window)
    return TeamUsage(
        name=name,
        reserved=_sum(held, window),
        used=_sum(busy, window),
        used_share=sum(busy.values()) / both if both else None,
        usd=_cost(reserved, window, rates, is_whole=not missing),
        missing=missing,
    )


def _cost(series: Sequence[Series], window: Window, rates: Mapping[str, Rate], *, is_whole: bool) -> Sum:
    parts: list[float | None] = [] if is_whole else [None]
    for each in series:
        hours = sum(_by_hour([each], window, lambda one: _devices(one, rates)).values())
        rate = rates.get(each.labels.get("flavor", ""))
        usd = rate.usd if rate is not None else None
        parts.append(0.0 if not hours else None if usd is None else hours * usd)
    return sum_of(parts)


def _owners(names: Mapping[str, Iterable[str]], of_none: Iterable[str]) -> dict[str, str]:
    return dict.fromkeys(of_none, NO_TEAM) | {each: team for team, every in names.items() for each in every}


def _owner(series: Series, label: str, owners: Mapping[str, str]) -> str:
    """A queue that is not in the file is an owner of its own."""
    value = series.labels.get(label, "")
    return owners.get(value, value)


def _devices(series: Series, rates: Mapping[str, Rate]) -> int:
    rate = rates.get(series.labels.get("flavor", ""))
    return rate.devices if rate is not None else 1


def _one(series: Series) -> int:
    del series
    return 1


def _by_hour(series: Sequence[Series], window: Window, factor: Callable[[Series], int] = _one) -> dict[int, float]:
    found: dict[int, float] = {}
    for each in series:
        for hour in window.hours:
            if hour in each.values:
                found[hour] = found.get(hour, 0.0) + each.values[hour] * factor(each)
    return found


def _sum(values: ByHour, window: Window) -> Sum:
    return sum_of([values.get(hour) for hour in window.hours])


def _missing(values: ByHour, window: Window) -> tuple[int, ...]:
    return tuple(hour for hour in window.hours if hour not in values)


def _rates(plan: ClusterPlan, cluster: KubernetesPlan, catalog: Catalog) -> dict[str, Rate]:
    """Returns the rates by flavor, also by the name that it had before its group got a network topology."""
    found: dict[str, Rate] = {}
    for group in cluster.node_groups:
        if group.queue is not None and group.machine.is_neuron:
            rate = _rate(group, plan, cluster, catalog)
            found |= {group.name: rate, group.flavor_name: rate}
    return found


def _rate(group: NodeGroupPlan, plan: ClusterPlan, cluster: KubernetesPlan, catalog: Catalog) -> Rate:
    row = catalog.instance_types.get(group.machine.instance_type)
    devices = (row.neuron_devices if row is not None else None) or 1
    line = instance_line(group, plan.region, catalog)
    price = block_cost(group, plan.region, catalog).price if group.machine.purchase.is_block else line.price
    claimed_whole = row is not None and row.ultraserver is not None and DRA in cluster.device_management.ways
    return Rate(group.name, devices if claimed_whole else 1, price.usd / devices if price is not None else None)
