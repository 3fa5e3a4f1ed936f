"""Every address is decided by the plan, and appending a zone moves none of them."""

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.config.environment_config import environment_model
from neuron_cluster.plan.network_plan import NetworkPlan, SubnetTier
from neuron_cluster.planning.build_network import build_network
from neuron_cluster.protocol.registry import registered
from neuron_cluster.resolved.resolved_environment import resolve

ZONE_TIERS = (SubnetTier.PRIVATE, SubnetTier.PUBLIC)


CLUSTER = {"version": "1.35", "node_groups": []}
LUSTRE = {"lustre": {"availability_zone": "usw2-az4", "capacity_gib": 1200}}
WORKSTATION = {"name": "alice", "instance_type": "inf2.xlarge", "dlami": "base_ubuntu_24_04"}
DETECTOR = {"neuron_node_problem_detector": "true"}
RECOVERY = {"neuron-helm-chart": {"npd": {"nodeRecovery": {"enabled": True}}}}
RECOVERING = {"addons": DETECTOR, "chart_values": RECOVERY}
ALERTED = {"metrics": "prometheus", "alarm_topic_arn": "arn:aws:sns:us-west-2:111122223333:on-call"}
OF_WORKSTATIONS = {"ec2", "ec2messages", "s3", "ssm", "ssmmessages"}
OF_CLUSTERS = {"ec2", "ecr.api", "ecr.dkr", "eks", "eks-auth", "lambda", "s3", "ssm", "ssmmessages", "sts"}


def planned(network: dict[str, object], region: str = "us-west-2", **sections: object) -> NetworkPlan:
    tree = {"schema": "1", "name": "x", "account": "111122223333", "region": region, "neuron": {"sdk": "2.32.0"}}
    config = environment_model().model_validate(tree | {"network": network} | sections)
    catalog = load_catalog()
    return build_network(resolve(config, catalog, registered()), catalog)


def two_zones(*, eks: object = None, **network: object) -> NetworkPlan:
    return planned({"cidr": "10.20.0.0/16", "availability_zones": ["usw2-az4", "usw2-az1"]} | network, eks=eks)


def services(sections: dict[str, object], **network: object) -> set[str]:
    zones = {"cidr": "10.20.0.0/16", "availability_zones": ["usw2-az4", "usw2-az1"]}
    return {each.service for each in planned(zones | network, **sections).endpoints}


def cidrs(plan: NetworkPlan) -> list[tuple[str, str | None, str | None]]:
    """Returns the private and the public subnet of each zone."""
    by_tier = [{each.zone_id: each.cidr for each in plan.subnets_of(tier)} for tier in ZONE_TIERS]
    return [(zone.zone_id, *(found.get(zone.zone_id) for found in by_tier)) for zone in plan.zones]


def test_private_subnets_take_an_eighth_each_and_public_ones_an_eighth_of_the_last():
    plan = two_zones()
    assert cidrs(plan) == [
        ("usw2-az4", "10.20.0.0/19", "10.20.224.0/22"),
        ("usw2-az1", "10.20.32.0/19", "10.20.228.0/22"),
    ]


def test_an_appended_zone_moves_no_address():
    two, three = two_zones(), two_zones(availability_zones=["usw2-az4", "usw2-az1", "usw2-az2"])
    assert cidrs(three)[:2] == cidrs(two)


def test_public_subnets_of_a_small_vpc_have_the_least_size_and_stay_with_a_new_zone():
    zones = ["usw2-az4", "usw2-az1"]
    one, two = (two_zones(cidr="10.20.0.0/24", availability_zones=zones[:number]) for number in (1, 2))
    assert [each[1:] for each in cidrs(two)] == [
        ("10.20.0.0/27", "10.20.0.224/28"),
        ("10.20.0.32/27", "10.20.0.240/28"),
    ]
    assert cidrs(one) == cidrs(two)[:1]
    assert cidrs(two_zones(cidr="10.20.0.0/22"))[0][2] == "10.20.3.128/28", "as it always was"


@pytest.mark.parametrize(
    ("nat", "gateways", "ways"),
    [
        ("none", [], [None, None]),
        ("single", ["usw2-az4"], ["usw2-az4", "usw2-az4"]),
        ("per_zone", ["usw2-az4", "usw2-az1"], ["usw2-az4", "usw2-az1"]),
    ],
)
def test_nat_gateways_stand_where_the_file_says(nat: str, gateways: list, ways: list):
    plan = two_zones(nat=nat)
    assert [z.zone_id for z in plan.zones if z.has_nat_gateway] == gateways
    assert [z.nat_zone_id for z in plan.zones] == ways
    assert plan.has_internet == bool(gateways)


def test_without_nat_there_are_no_public_subnets_and_every_endpoint_that_nodes_need():
    plan = two_zones(nat="none")
    assert {each.tier for each in plan.subnets} == {SubnetTier.PRIVATE}
    names = {e.service for e in plan.endpoints}
    assert {"lambda", "sts", "eks", "eks-auth", "ecr.api", "ecr.dkr", "s3", "ec2", "logs", "kms", "ssm"} <= names
    assert [e.service for e in plan.endpoints if e.is_gateway] == ["s3"]


def test_with_nat_the_free_gateway_endpoint_is_the_only_default():
    assert [(e.service, e.is_gateway) for e in two_zones().endpoints] == [("s3", True)]


def test_eks_gets_no_subnet_in_a_zone_that_it_refuses():
    plan = planned({"cidr": "10.0.0.0/16", "availability_zones": ["use1-az3", "use1-az4"]}, "us-east-1")
    assert [z.holds_control_plane for z in plan.zones] == [False, True]


@pytest.mark.parametrize(
    ("auto_mode", "endpoints", "cidr"),
    [
        ("false", ["s3", "ecr.api"], None),
        ("true", ["s3"], None),
        ("true", ["s3", "ecr.api"], "10.20.0.0/16"),
    ],
)
def test_interface_endpoints_admit_addresses_only_for_nodes_without_our_groups(
    auto_mode: str, endpoints: list[str], cidr: str | None
):
    """Nodes of EKS Auto Mode carry the cluster's own group alone."""
    eks = {"version": "1.35", "node_groups": [], "auto_mode": auto_mode}
    assert two_zones(eks=eks, endpoints=endpoints).endpoint_clients_cidr == cidr


@pytest.mark.parametrize(
    ("sections", "needed"),
    [
        ({"eks": CLUSTER}, OF_CLUSTERS),
        ({"eks": CLUSTER, "storage": LUSTRE}, OF_CLUSTERS | {"fsx"}),
        ({"eks": CLUSTER, "storage": {"express": {"availability_zone": "usw2-az4"}}}, OF_CLUSTERS | {"s3express"}),
        ({"eks": CLUSTER, "observability": {"metrics": "cloudwatch"}}, OF_CLUSTERS | {"logs"}),
        ({"eks": CLUSTER | {"addons": DETECTOR}}, OF_CLUSTERS),
        (
            {"eks": CLUSTER | {"addons": DETECTOR, "chart_values": RECOVERY}},
            OF_CLUSTERS | {"autoscaling", "monitoring"},
        ),
        (
            {"eks": CLUSTER | {"addons": {"aws_load_balancer_controller": "true"}}},
            OF_CLUSTERS | {"elasticloadbalancing"},
        ),
        ({"eks": CLUSTER, "observability": ALERTED}, OF_CLUSTERS | {"sns"}),
        ({"eks": CLUSTER, "workstations": [WORKSTATION]}, OF_CLUSTERS | OF_WORKSTATIONS),
        ({"workstations": [WORKSTATION]}, OF_WORKSTATIONS),
    ],
)
def test_needed_endpoints_without_nat_are_those_that_the_file_calls(
    sections: dict[str, object], needed: set[str]
) -> None:
    assert services(sections, nat="none", endpoints="needed") == needed


def test_a_file_without_the_key_keeps_every_endpoint_that_it_had() -> None:
    """`fsx` without Lustre among them: an upgrade of the toolkit removes none."""
    of_release = OF_CLUSTERS | OF_WORKSTATIONS | {"autoscaling", "fsx", "kms", "logs"}
    assert services({"eks": CLUSTER}, nat="none") == of_release
    assert services({"eks": CLUSTER | {"addons": {"aws_load_balancer_controller": "true"}}}, nat="none") == of_release
    of_all = services({"eks": CLUSTER}, nat="none", endpoints="all")
    assert of_all - of_release == {"elasticloadbalancing", "monitoring", "sns"}
    assert of_release <= of_all
    assert services({"eks": CLUSTER}) == {"s3"}


def test_with_nat_needed_endpoints_are_free_and_all_are_all() -> None:
    assert services({"eks": CLUSTER, "storage": LUSTRE}, endpoints="needed") == {"s3"}
    assert services({"eks": CLUSTER}, endpoints="all") == services({"eks": CLUSTER}, nat="none", endpoints="all")


def test_each_endpoint_says_what_calls_it() -> None:
    network = {"cidr": "10.20.0.0/16", "availability_zones": ["usw2-az4", "usw2-az1"], "nat": "none"}
    plan = planned(network, eks=CLUSTER, storage=LUSTRE)
    called_by = {each.service: each.called_by for each in plan.endpoints}
    assert (called_by["fsx"], called_by["kms"], called_by["ssm"]) == (("fsx_csi_driver",), (), ("nodes",))
    assert not plan.are_endpoints_chosen
