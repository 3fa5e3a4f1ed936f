"""A provider without Kubernetes: its groups have addresses, limits, vCPUs, teams and a price."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.plan.address_plan import Purpose
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.compute_group_plan import ComputeGroupPlan
from neuron_cluster.plan.provider_plan import ProviderPlan
from neuron_cluster.plan.scale import build_scale
from neuron_cluster.planning.build_addresses import build_addresses
from neuron_cluster.planning.build_observability import build_observability
from neuron_cluster.planning.build_vcpu_use import build_vcpu_use
from neuron_cluster.report.plan_page import plan_as_data, plan_tables
from neuron_cluster.report.price import price_of

CATALOG = load_catalog()


class FarmPlan(ProviderPlan, frozen=True, kw_only=True):
    """Groups of machines without Kubernetes."""

    groups: tuple[ComputeGroupPlan, ...]

    @property
    def compute_groups(self) -> tuple[ComputeGroupPlan, ...]:
        return self.groups


@pytest.fixture
def farm(plan_of: Callable[..., ClusterPlan]) -> ClusterPlan:
    """train-trn1 with the machines of its node groups, and nothing else of its cluster."""
    plan = plan_of("train-trn1")
    fields = ComputeGroupPlan.__struct_fields__
    groups = tuple(
        ComputeGroupPlan(
            **{name: getattr(group, name) for name in fields} | {"path": ("farm", "groups", position), "team": "a"}
        )
        for position, group in enumerate(plan.node_groups)
    )
    providers = (FarmPlan(path=("farm",), groups=groups),)
    addresses = build_addresses(plan.network, providers, plan.storage, (), CATALOG)
    return replace(plan, providers=providers, addresses=addresses)


def test_its_groups_are_the_compute_groups_and_there_is_no_cluster(farm: ClusterPlan) -> None:
    assert [group.name for group in farm.compute_groups] == ["system", "trn1"]
    assert (farm.kubernetes, farm.node_groups, farm.image_cache) == (None, (), None)
    assert [team.name for team in farm.teams] == ["a"]
    assert {"cluster", "system", "software", "nodes"} & set(farm.stacks) == set()


def test_each_machine_needs_the_addresses_of_its_own_interfaces(farm: ClusterPlan) -> None:
    trn1 = farm.compute_groups[1]
    subnet = next(each for each in farm.addresses if each.kind == "private" and each.zone_id in trn1.zone_ids)
    needed = sum(
        group.max * group.machine.addresses for group in farm.compute_groups if subnet.zone_id in group.zone_ids
    )
    assert subnet.needed_for(Purpose.NODES) == needed
    assert subnet.needed_for(Purpose.CONTROL_PLANE) == subnet.needed_for(Purpose.LOAD_BALANCERS) == 0


def test_limits_of_ec2_count_its_machines_and_those_of_eks_do_not(farm: ClusterPlan) -> None:
    uses = {use.name: use for use in build_scale(farm, CATALOG)}
    assert uses["launch_templates_per_region"].used == len(farm.compute_groups)
    assert uses["launch_templates_per_region"].path == ("farm", "groups")
    interfaces = sum(group.max * len(group.machine.interfaces) for group in farm.compute_groups)
    assert (uses["network_interfaces_per_region"].used, uses["network_interfaces_per_region"].is_least) == (
        interfaces,
        False,
    )
    assert [name for name in uses if "eks" in name or "kubernetes" in name] == []


def test_its_machines_have_a_price_and_vcpus(farm: ClusterPlan, plan_of: Callable[..., ClusterPlan]) -> None:
    plan = plan_of("train-trn1")
    assert price_of(farm, CATALOG).max_usd == price_of(plan, CATALOG).max_usd
    assert "the EKS control plane" not in price_of(farm, CATALOG).not_included
    of_farm, of_eks = (build_vcpu_use(each, CATALOG) for each in (farm, plan))
    assert [(use.code, use.maximum) for use in of_farm] == [(use.code, use.maximum) for use in of_eks]
    assert build_observability(None, farm.providers, farm.storage, farm.region, CATALOG) is None


def test_its_part_of_the_plan_is_shown(farm: ClusterPlan) -> None:
    data = plan_as_data(farm, CATALOG)
    assert data["plan"]["eks"] is None
    assert data["plan"]["farm"]["path"] == ["farm"]
    titles = [table.title for table in plan_tables(farm, CATALOG, (), 80)]
    assert "Instances" in titles
    assert not any(title.startswith("Cluster") for title in titles)
