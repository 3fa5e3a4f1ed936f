"""Rule E1009 divides the VPC as the plan does."""

from ipaddress import IPv4Network
from pathlib import Path

from rule_fixture import Case

from neuron_cluster.line import check_environment
from neuron_cluster.rules.network.e1009_subnet_too_small_for_ec2 import PRIVATE_BITS, PUBLIC_BITS


def test_the_rule_divides_the_vpc_as_the_plan_does(tmp_path: Path) -> None:
    file = tmp_path / "environment.yaml"
    file.write_text(Case("dev-inf2", {}).text(), encoding="utf-8")
    network = check_environment(file).require_plan().network
    vpc = IPv4Network(network.cidr)
    for zone in network.zones:
        assert IPv4Network(zone.private_cidr).prefixlen == vpc.prefixlen + PRIVATE_BITS
        assert zone.public_cidr is not None
        assert IPv4Network(zone.public_cidr).prefixlen == vpc.prefixlen + PUBLIC_BITS
