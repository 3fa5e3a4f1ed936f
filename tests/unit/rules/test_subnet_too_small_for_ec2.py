"""Rule E1009 divides the VPC as the plan does, and refuses no VPC that the plan can divide."""

from ipaddress import IPv4Network
from pathlib import Path

import pytest
from rule_fixture import Case

from neuron_cluster.pipeline import check_environment
from neuron_cluster.plan.network_plan import SubnetTier
from neuron_cluster.rules.network.e1009_subnet_too_small_for_ec2 import EIGHTH

SMALLEST = 28
ZONES = ["usw2-az1", "usw2-az2", "usw2-az3", "usw2-az4"]


@pytest.mark.parametrize(
    ("base", "cidr", "public"), [("dev-inf2", "10.0.0.0/16", 22), ("workstation", "10.0.0.0/25", 28)]
)
def test_the_rule_divides_the_vpc_as_the_plan_does(base: str, cidr: str, public: int, tmp_path: Path) -> None:
    file = tmp_path / "environment.yaml"
    file.write_text(Case(base, {"network.cidr": cidr}).text(), encoding="utf-8")
    network = check_environment(file).require_plan().network
    vpc = IPv4Network(network.cidr)
    prefixes = [(each.tier, IPv4Network(each.cidr).prefixlen) for each in network.subnets]
    zones = len(network.zones)
    assert prefixes == [(SubnetTier.PRIVATE, vpc.prefixlen + EIGHTH)] * zones + [(SubnetTier.PUBLIC, public)] * zones


@pytest.mark.parametrize("zones", range(1, 5))
@pytest.mark.parametrize("prefix", range(22, 27))
def test_what_is_not_refused_has_subnets_of_ec2_that_lie_apart(prefix: int, zones: int, tmp_path: Path) -> None:
    file = tmp_path / "environment.yaml"
    edits = {"network.cidr": f"10.0.0.0/{prefix}", "network.availability_zones": ZONES[:zones]}
    file.write_text(Case("workstation", edits).text(), encoding="utf-8")
    checked = check_environment(file)
    assert (checked.plan is None) == ("E1009" in {finding.id for finding in checked.findings})
    if checked.plan is not None:
        subnets = [IPv4Network(each.cidr) for each in checked.plan.network.subnets]
        assert len(subnets) == 2 * zones
        assert max(subnet.prefixlen for subnet in subnets) <= SMALLEST
        assert not any(a.overlaps(b) for a in subnets for b in subnets if a is not b)
