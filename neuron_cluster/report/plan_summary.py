"""The plan in ten lines: what, where, nodes, devices, price, what is missing before a deploy, and the worst finding."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.cost.environment_cost import EnvironmentCost, monthly
from neuron_cluster.cost.model import Scenario
from neuron_cluster.diagram.model import Kind
from neuron_cluster.diagram.storage_cards import lustre_card, storage_area
from neuron_cluster.findings.finding import Finding, Severity
from neuron_cluster.findings.text import counted, listed, on_one_line
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.compute_group_plan import NO_LIMIT
from neuron_cluster.plan.network_plan import NetworkPlan
from neuron_cluster.plan.stack_table import planned_stacks
from neuron_cluster.report.cost_page import sum_text
from neuron_cluster.report.device_counts import device_counts, devices_text
from neuron_cluster.report.findings_text import summary
from neuron_cluster.report.folded_warnings import NEVER_FOLDED
from neuron_cluster.report.missing_before_deploy import missing_before_deploy
from neuron_cluster.report.price import NOT_KNOWN, price_of, total
from neuron_cluster.report.repeated_warnings import without_repeats
from neuron_cluster.report.wrapped import held, released

WIDTH = 100
"""Columns that each line has at most. A narrower terminal wraps it: the words are the same at every width."""
LABEL_WIDTH = 10
MORE = " …"
NOTHING_MISSING = "nothing that the file and its lock show; a deploy checks the account"
OF_PLACEHOLDERS = frozenset({"W6002"})
"""The account is an example: the line before has it."""


class SummaryParts(Struct, frozen=True, kw_only=True):
    """The records that the summary is made of."""

    plan: ClusterPlan
    catalog: Catalog
    cost: EnvironmentCost
    findings: Sequence[Finding]
    has_lock: bool


def plan_title(plan: ClusterPlan) -> str:
    """``train-trn1: account 210987654321, us-west-2, durable, Neuron SDK 2.32.0``."""
    lifecycle = "durable" if plan.is_durable else "ephemeral"
    return f"{plan.name}: account {plan.account}, {plan.region}, {lifecycle}, Neuron SDK {plan.neuron_sdk}"


def summary_lines(parts: SummaryParts) -> list[str]:
    """The title, seven lines about the plan, then what is missing before a deploy and the findings."""
    missing = missing_before_deploy(parts.plan, parts.catalog, has_lock=parts.has_lock)
    state = {
        "missing": f"for AWS: {'; '.join(missing)}" if missing else NOTHING_MISSING,
        "findings": _findings(parts.findings),
    }
    return [plan_title(parts.plan), *plan_lines(parts.plan, parts.catalog, parts.cost), *_lines(state)]


def plan_lines(plan: ClusterPlan, catalog: Catalog, cost: EnvironmentCost) -> list[str]:
    """The seven lines about what a deploy creates."""
    return _lines(
        {
            "cluster": _clusters(plan),
            "network": _network(plan.network),
            "stacks": _items(f"{len(plan.stacks)}: ", [spec.stack_key for spec in planned_stacks(plan)]),
            "nodes": _nodes(plan, catalog),
            "devices": _devices(plan, catalog),
            "storage": _items("", _storage(plan)) or "none",
            "price": _price(plan, catalog, cost),
        }
    )


def _lines(values: dict[str, str]) -> list[str]:
    return [f"{label:<{LABEL_WIDTH}}{_cut(value, WIDTH - LABEL_WIDTH)}" for label, value in values.items()]


def _cut(text: str, width: int) -> str:
    """The text in one line. A longer one ends between two words and outside of backticks."""
    return released(textwrap.shorten(held(on_one_line(text)), width, placeholder=MORE, break_on_hyphens=False))


def _items(start: str, items: Sequence[str]) -> str:
    """``6: network, storage and 4 more``: as many items as fit in a line."""
    for shown in range(len(items), 0, -1):
        rest = f" and {len(items) - shown} more" if shown < len(items) else ""
        text = f"{start}{', '.join(items[:shown])}{rest}"
        if len(text) <= WIDTH - LABEL_WIDTH:
            return text
    return f"{start}{len(items)} in all" if items else ""


def _clusters(plan: ClusterPlan) -> str:
    found = [each for each in (provider.control_plane() for provider in plan.providers) if each is not None]
    texts = [f"{each.title}: {', '.join(each.lines[1:])}" for each in found]
    return "; ".join(texts) or "none"


def _network(network: NetworkPlan) -> str:
    existing, gateways = network.existing, sum(zone.has_nat_gateway for zone in network.zones)
    if existing is not None:
        vpc = f"VPC {existing.vpc_id}, which exists,"
        egress = "with default routes" if network.has_internet else "without a default route in each subnet"
    else:
        vpc = f"VPC {network.cidr}"
        egress = counted(gateways, "NAT gateway") if gateways else "no NAT gateway"
    endpoints = [counted(len(network.endpoints), "VPC endpoint")] if network.endpoints else []
    return ", ".join([f"{vpc} in {listed(zone.zone_id for zone in network.zones)}", egress, *endpoints])


def _nodes(plan: ClusterPlan, catalog: Catalog) -> str:
    """Instance types with the most Neuron devices first."""
    groups = plan.compute_groups
    if not groups:
        return "none"
    most = f"{sum(group.known_maximum for group in groups):,}" if all(g.has_limit for g in groups) else NO_LIMIT
    types: Counter[str] = Counter()
    for group in sorted(groups, key=lambda group: -device_counts([group], catalog).maximum):
        types[group.machine.instance_type] += group.desired
    desired, minimum = sum(types.values()), sum(group.min for group in groups)
    start = f"{desired:,} at the desired count ({minimum:,} to {most}): "
    return _items(start, [f"{count:,} x {name}" for name, count in types.items()])


def _devices(plan: ClusterPlan, catalog: Catalog) -> str:
    counts = device_counts(plan.compute_groups, catalog)
    if not counts.maximum:
        return "no Neuron devices"
    rows = (catalog.instance_types.get(group.machine.instance_type) for group in plan.compute_groups)
    chips = dict.fromkeys(row.chip for row in rows if row is not None and row.chip is not None)
    return _items(
        f"{devices_text(counts.desired)} at the desired count, {counts.maximum_text} at the maximum: ", list(chips)
    )


def _storage(plan: ClusterPlan) -> list[str]:
    """Everything that holds data, the file system for training with its id or size."""
    storage = plan.storage
    area = storage_area(plan)
    cards = [card for card in area.cards if card.kind is Kind.DATA] if area is not None else []
    titles = [card.title if position == 0 else _lower(card.title) for position, card in enumerate(cards)]
    if storage is None or storage.lustre is None:
        return titles
    lustre = lustre_card(storage.lustre)
    return [f"{lustre.title} ({lustre.lines[0]})", *map(_lower, titles)]


def _lower(title: str) -> str:
    """``Checkpoint bucket`` within a line; names of services stay as they are."""
    return title if title[1:2].isupper() or title[1:2].isdigit() else title[:1].lower() + title[1:]


def _price(plan: ClusterPlan, catalog: Catalog, cost: EnvironmentCost) -> str:
    price = price_of(plan, catalog)
    month = f"{sum_text(monthly(cost.lines, Scenario.DESIRED))} USD a month"
    if not price.machines:
        return f"in all {month}, without instances"
    desired = total(price.desired_usd, price.desired_at_least_usd)
    instances = f"instances {desired} an hour" if desired != NOT_KNOWN else "instances: price not known"
    return f"desired: {instances}, in all {month}"


def _findings(findings: Sequence[Finding]) -> str:
    """How many, and the worst: an error before a warning, then one about what is built or paid for."""
    if not findings:
        return "none"
    worst = min(without_repeats(findings), key=_order)
    return f"{summary(findings)}; {worst.id}: {worst.message}"


def _order(finding: Finding) -> tuple[bool, ...]:
    is_warning = finding.severity is not Severity.ERROR
    return (is_warning, finding.id not in NEVER_FOLDED, finding.id in OF_PLACEHOLDERS)
