"""The plan as a page: what will be built, in tables."""

from __future__ import annotations

import json
from collections.abc import Container, Iterable
from datetime import date
from typing import Any

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.cost.environment_cost import environment_cost
from neuron_cluster.plan.checkpoint_storage import checkpoint_storage
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.existing_policies import existing_policies
from neuron_cluster.plan.network_plan import NetworkPlan, SubnetPlan, SubnetTier
from neuron_cluster.plan.stack_table import planned_stacks
from neuron_cluster.report.addresses_page import addresses_as_data, addresses_table
from neuron_cluster.report.checkpoint_page import checkpoint_plan_as_data, checkpoint_tables
from neuron_cluster.report.control_plane_price import control_plane_price, control_plane_sentences
from neuron_cluster.report.cost_page import month_sentence
from neuron_cluster.report.endpoints_table import endpoints_table
from neuron_cluster.report.machines_page import machine_tables
from neuron_cluster.report.marks import DEFAULT_MARK, DEFAULT_NOTE, Marks, PathInFile
from neuron_cluster.report.observability_page import observability_tables
from neuron_cluster.report.plain_data import plain
from neuron_cluster.report.plan_data import plan_data
from neuron_cluster.report.plan_summary import SummaryParts, plan_title
from neuron_cluster.report.price import price_of, price_sentence, source_sentences
from neuron_cluster.report.storage_cost import storage_cost_as_data, storage_cost_table
from neuron_cluster.report.storage_table import storage_table
from neuron_cluster.report.versions_page import versions_table
from neuron_cluster.report.workstations_page import workstation_tables
from neuron_cluster.table import Table

KEY_DIGITS = 12
"""The last part of a key id."""
ROUTES = {"nat": "NAT", "internet_gateway": "internet gateway", "other": "another default route", "none": "none"}
"""Default routes of subnets that exist, by the words of the lock."""


def plan_as_data(plan: ClusterPlan, catalog: Catalog, as_of: date | None = None) -> dict[str, Any]:
    """The whole plan and its prices, for ``--format json``; that of the control plane on the day, if one is given."""
    stacks = [plan.stack_name(stack_key) for stack_key in plan.stacks]
    checkpoints = checkpoint_storage(plan.storage, plan.region, catalog)
    return {
        "plan": plan_data(plan),
        "stacks": stacks,
        "addresses": addresses_as_data(plan),
        "price": plain(price_of(plan, catalog)),
        "control_plane_price": plain(control_plane_price(plan, catalog, as_of)),
        "checkpoints": checkpoint_plan_as_data(checkpoints) if checkpoints is not None else None,
        "storage_cost": storage_cost_as_data(plan, catalog),
        "existing_policies": [{"of": what, "add": each} for what, each in existing_policies(plan)],
    }


def plan_tables(plan: ClusterPlan, catalog: Catalog, written: Container[PathInFile], width: int) -> list[Table]:
    """Tables for people. ``written`` holds the key paths that the file names; the rest is marked as a default."""
    marks = Marks(written)
    tables = [_stacks(plan), versions_table(plan, catalog), subnets_table(plan)]
    tables += [endpoints_table(plan, catalog, marks), addresses_table(plan)]
    if plan.cluster_groups:
        tables += machine_tables(plan.cluster_groups, price_of(plan, catalog), catalog, marks, width)
    if plan.storage is not None:
        tables += [storage_table(plan.storage, plan.region, marks, catalog), storage_cost_table(plan, catalog)]
    tables.append(additions_table(plan))
    checkpoints = checkpoint_storage(plan.storage, plan.region, catalog)
    if checkpoints is not None:
        tables += checkpoint_tables(checkpoints, catalog, has_costs=False)
    tables += (table for each in plan.providers for table in each.plan_tables(written, catalog))
    tables += workstation_tables(plan, price_of(plan, catalog), marks)
    tables += observability_tables(plan.observability, marks)
    return [table for table in tables if table.rows]


def closing_lines(plan: ClusterPlan, catalog: Catalog, as_of: date | None = None) -> list[str]:
    """The lines below the tables: what the mark means, and the prices."""
    extended = control_plane_sentences(control_plane_price(plan, catalog, as_of))
    in_all = [month_sentence(environment_cost(plan, catalog, as_of))] if as_of is not None else []
    return [f"{DEFAULT_MARK.strip()} {DEFAULT_NOTE}", price_sentence(price_of(plan, catalog)), *in_all, *extended]


def summary_closing_lines(parts: SummaryParts, argument: str) -> list[str]:
    """The lines below the summary: how old prices are, and how the rest is shown."""
    sources = source_sentences(price_of(parts.plan, parts.catalog))
    extended = control_plane_sentences(control_plane_price(parts.plan, parts.catalog, parts.cost.on))
    all_tables = f"`neuron-cluster plan {argument} --details` shows stacks, subnets, interfaces, software and access"
    more = f"{all_tables}, `neuron-cluster cost {argument}` each price."
    return [*([" ".join([*sources, *extended])] if sources or extended else []), more]


def _stacks(plan: ClusterPlan) -> Table:
    rows = tuple((plan.stack_name(spec.stack_key), spec.purpose) for spec in planned_stacks(plan))
    return Table(plan_title(plan), ("stack", "holds"), rows, "Deployed in this order.")


def subnets_table(plan: ClusterPlan) -> Table:
    """Returns the table of subnets, by zone."""
    rows: list[tuple[str, ...]] = []
    has = {(subnet.zone_id, subnet.kind): f"{subnet.has:,}" for subnet in plan.addresses}
    zones = [zone.zone_id for zone in plan.network.zones]
    in_zones = [subnet for subnet in plan.network.subnets if subnet.tier is not SubnetTier.SECONDARY]
    in_zones.sort(key=lambda subnet: zones.index(subnet.zone_id))
    for subnet in (*in_zones, *plan.network.subnets_of(SubnetTier.SECONDARY)):
        tier = subnet.tier.value
        rows.append((subnet.zone_id, tier, subnet.cidr, has[subnet.zone_id, tier], _way_out(subnet, plan.network)))
    note = "Addresses: without those that AWS keeps"
    columns = ("zone id", "subnet", "CIDR", "addresses", "egress")
    existing = plan.network.existing
    if existing is not None:
        title = f"Network {existing.vpc_id} ({', '.join(existing.cidrs)}), which exists and is not changed"
        note += f". Endpoints of the VPC itself: {_services(existing.endpoints)}"
        return Table(title, columns, tuple(rows), note)
    return Table(f"Network {plan.network.cidr}", columns, tuple(rows), note)


def _services(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"


def _way_out(subnet: SubnetPlan, network: NetworkPlan) -> str:
    if subnet.route is not None:
        return ROUTES[subnet.route]
    if subnet.tier is SubnetTier.PUBLIC:
        return "internet gateway"
    zone = network.zone(subnet.zone_id)
    return f"NAT in {zone.nat_zone_id}" if zone is not None and zone.nat_zone_id else "none"


def additions_table(plan: ClusterPlan) -> Table:
    """Returns the table of statements that owners of existing keys and buckets add; without rows if there are none."""
    rows = tuple((_shortened(what), json.dumps(each)) for what, each in existing_policies(plan))
    note = "Added by their owners: a deploy changes nothing of a resource that exists."
    return Table("Policies of resources that exist", ("of", "add"), rows, note)


def _shortened(what: str) -> str:
    """With the end of the key id in the place of its ARN."""
    text, _, arn = what.partition("arn:")
    return f"{text}…{arn[-KEY_DIGITS:]}" if arn else what
