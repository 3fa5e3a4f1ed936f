"""The limits of services compared with the use of an environment at its largest sizes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.pipeline import check_environment
from neuron_cluster.plan.limit_use import LimitUse
from neuron_cluster.plan.scale import RULES_OF_FULLEST_GROUP, build_scale

pytestmark = pytest.mark.slow

CATALOG = load_catalog()
THOUSAND = Path(__file__).parents[3] / "benchmarks" / "thousand_nodes.yaml"


@pytest.fixture(scope="module")
def thousand() -> Any:
    checked = check_environment(THOUSAND, catalog=CATALOG)
    assert checked.plan is not None, [f"{f.id} {f.message}" for f in checked.findings if f.id.startswith("E")]
    return checked.plan


def by_name(plan: Any) -> dict[str, LimitUse]:
    return {use.name: use for use in build_scale(plan, CATALOG)}


def test_a_thousand_nodes_fit_in_one_network(thousand: Any) -> None:
    groups = [group for group in thousand.kubernetes.node_groups if group.machine.instance_type == "trn2.48xlarge"]
    assert sum(group.max for group in groups) == 1000
    assert all(subnet.left >= 0 for subnet in thousand.addresses)


def test_every_use_of_a_thousand_nodes(thousand: Any) -> None:
    found = {name: use.used for name, use in by_name(thousand).items()}
    nodes = 1000 + 12
    assert found["nodes_per_managed_node_group"] == 84
    assert found["managed_node_groups_per_cluster"] == 13
    assert found["kubernetes_nodes_per_cluster"] == found["eks_nodes_before_planning"] == nodes
    assert found["kubernetes_pods_per_cluster"] == 1000 * 15 + 12 * 31
    assert found["network_interfaces_per_region"] == 1000 * 16 + 12
    assert found["ebs_gp3_storage_per_region"] == 501
    # Of a trn2 node: its address, a prefix and 15 further interfaces; of a system node an address and two prefixes; in
    # each zone 6 of the control plane, 1 function, 2 x 8 for load balancers, 1 address and 6 more of NAT.
    assert found["network_address_usage"] == 1000 * 17 + 12 * 3 + 3 * (6 + 1 + 16 + 1 + 6)


def test_the_closest_limit_comes_first_and_none_comes_twice_but_for_stacks(thousand: Any) -> None:
    uses = build_scale(thousand, CATALOG)
    assert [use.share for use in uses] == sorted((use.share for use in uses), reverse=True)
    names = [use.name for use in uses if use.name != "cloudformation_resources_per_stack"]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("environment", ["train-trn1", "train-trn2", "dev-inf2", "workstation"])
def test_every_row_has_a_limit_of_the_catalog_with_its_source(plan_of: Callable[..., Any], environment: str) -> None:
    uses = build_scale(plan_of(environment), CATALOG)
    for use in uses:
        row = CATALOG.limits[use.name]
        assert (use.limit, use.source, use.adjustable) == (row.maximum, row.source, row.adjustable)
        assert use.source
        assert not (use.adjustable and use.advice)
    assert not [use.name for use in uses if use.is_exceeded]


def test_resources_are_those_of_the_templates(plan_of: Callable[..., Any], templates_of: Callable[..., Any]) -> None:
    bare = {"workstations.0.home": None, "workstations.0.idle_stop_minutes": 0}
    for environment, part, edits in [
        ("train-trn1", "nodes", {}),
        ("dev-inf2", "nodes", {}),
        ("workstation", "workstations", {}),
        ("workstation", "workstations", bare),
    ]:
        plan = plan_of(environment, edits)
        uses = [use for use in build_scale(plan, CATALOG) if use.name == "cloudformation_resources_per_stack"]
        (use,) = [use for use in uses if use.what == f"stack {plan.stack_name(part)}"]
        assert use.used == len(templates_of(environment, edits)[part]["Resources"])


@pytest.mark.parametrize("edits", [{}, {"network.endpoints": ["s3", "sts"], "eks.auto_mode": True}], ids=str)
def test_rules_are_those_of_the_fullest_security_group(templates_of: Callable[..., Any], edits: dict[str, Any]) -> None:
    rules: Counter[str] = Counter()
    for name, resource in templates_of("train-trn1", edits)["network"]["Resources"].items():
        body = resource["Properties"]
        match resource["Type"]:
            case "AWS::EC2::SecurityGroupIngress" | "AWS::EC2::SecurityGroupEgress":
                rules[f"{body['GroupId']['Fn::GetAtt'][0]} {resource['Type']}"] += 1
            case "AWS::EC2::SecurityGroup":
                rules[f"{name} AWS::EC2::SecurityGroupEgress"] += len(body["SecurityGroupEgress"])
    assert max(rules.values()) == RULES_OF_FULLEST_GROUP


def test_a_queue_serves_as_many_groups_as_kueue_takes_flavors(thousand: Any) -> None:
    """A 65th would be refused when the objects are applied, and the software stack would roll back."""
    group = thousand.kubernetes.node_groups[-1]
    for number, is_exceeded in ((64, False), (65, True)):
        groups = tuple(replace(group, name=f"g{n}", queue="research") for n in range(number))
        use = by_name(replace(thousand, providers=(replace(thousand.kubernetes, node_groups=groups),)))[
            "kueue_flavors_per_resource_group"
        ]
        assert (use.what, use.used, use.limit) == ("the queue research", number, 64)
        assert use.is_exceeded is is_exceeded
        assert (use.adjustable, use.advice, use.doubt, use.own_rule) == (False, False, "", False)


def test_what_is_not_known_of_a_type_makes_a_use_a_lower_bound(thousand: Any) -> None:
    groups = tuple(replace(group, node_addresses=None) for group in thousand.kubernetes.node_groups)
    found = by_name(replace(thousand, providers=(replace(thousand.kubernetes, node_groups=groups),)))
    assert found["network_interfaces_per_region"].is_least
    assert found["kubernetes_pods_per_cluster"].is_least
    assert not found["managed_node_groups_per_cluster"].is_least
