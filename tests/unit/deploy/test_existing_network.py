"""A VPC that exists: what a lock pins of it, and what stops a deploy when the account differs from the lock."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from moto.ec2 import ec2_backends
from moto.ec2.models.availability_zones_and_regions import Zone
from msgspec import structs

from local_aws.server import LocalAws
from neuron_cluster.aws.session import LocalTarget, client, close_clients
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.deploy.lock_resolver import LockResolver
from neuron_cluster.deploy.preflight.context import PreflightContext
from neuron_cluster.deploy.preflight.run import preflight_findings
from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.local_checks.product_local_aws import product_local_aws
from neuron_cluster.lock.inputs import LockInputs, NetworkInput
from neuron_cluster.lock.model import Lock, LockedNetwork
from neuron_cluster.lock.paths import lock_path, locks_beside
from neuron_cluster.lock.writer import lock_text, write_lock
from neuron_cluster.pipeline import check_environment
from neuron_cluster.plan.cluster_plan import ClusterPlan
from tests.existing_vpc import account_vpc

sys.path.insert(0, str(Path(__file__).parents[3] / "tools"))
from hint_commands import command_error, commands_in
from hinted_command import run_aws

pytestmark = pytest.mark.slow
SHIPPED = Path(__file__).parents[3] / "environments" / "dev-inf2.yaml"
REGION, ACCOUNT = "us-west-2", "111122223333"


@pytest.fixture(scope="module")
def aws() -> Iterator[LocalAws]:
    with product_local_aws() as running:
        yield running


@pytest.fixture
def target(aws: LocalAws) -> Iterator[LocalTarget]:
    aws.empty()
    found = LocalTarget(REGION, ACCOUNT, aws.endpoint)
    yield found
    close_clients(found)


class Existing:
    """A VPC of the account, and an environment in it."""

    def __init__(self, target: LocalTarget, folder: Path, **network: Any) -> None:
        self.target, self.folder = target, folder
        self.ec2 = client(target, "ec2")
        self.section = account_vpc(self.ec2) | network
        self.vpc_id: str = self.section["existing"]["vpc_id"]
        self.subnets = [each["id"] for each in self.section["existing"]["subnets"]]
        self.has_load_balancers = False

    def locked(self) -> LockedNetwork:
        """Returns the VPC as `lock` pins it today."""
        own = tuple(self.section.get("endpoints", ()))
        inputs = LockInputs(
            "dev-inf2", ACCOUNT, REGION, "1.35", {}, {}, (), (), (), None,
            NetworkInput(self.vpc_id, tuple(self.subnets), own),
        )  # fmt: skip
        network = LockResolver(self.target, None, lambda _: None).resolve(inputs).lock.network
        assert network is not None
        return network

    def plan(self) -> ClusterPlan:
        """With the lock of today."""
        tree = yaml.safe_load(SHIPPED.read_text()) | {"network": self.section}
        if self.has_load_balancers:
            tree["eks"].setdefault("addons", {})["aws_load_balancer_controller"] = True
        file = self.folder / "dev-inf2.yaml"
        file.write_text(yaml.safe_dump(tree))
        lock = Lock("dev-inf2", ACCOUNT, REGION, "1.35", network=self.locked())
        write_lock(lock_path(locks_beside(file), lock.environment), lock_text(lock, {}, "a test"))
        return check_environment(file).require_plan()

    def findings(self, plan: ClusterPlan) -> list[Finding]:
        """Returns findings of a deploy; its program understands every command of a hint."""
        destination = local_destination(self.target.endpoint, ACCOUNT, REGION)

        def locate(path: tuple[str | int, ...]) -> Location:
            return Location("dev-inf2.yaml", path=".".join(map(str, path)))

        context = PreflightContext(plan, destination, locate, load_catalog(), lock_again="neuron-cluster lock dev-inf2")
        found = preflight_findings(context)
        assert [
            command_error(each) for finding in found for each in commands_in(finding.hint) if command_error(each)
        ] == []
        return found

    def follow(self, finding: Finding) -> None:
        (command,) = commands_in(finding.hint)
        run_aws(command, self.target)


@pytest.fixture
def existing(target: LocalTarget, tmp_path: Path) -> Existing:
    return Existing(target, tmp_path)


def errors(found: list[Finding]) -> list[Finding]:
    return [each for each in found if each.id == "E9570"]


def test_a_lock_pins_ranges_zones_and_routes(existing: Existing) -> None:
    locked = existing.locked()
    assert (locked.vpc_id, locked.cidrs, locked.endpoints) == (existing.vpc_id, ("10.70.0.0/16",), ("ecr.api",))
    assert {each: (row.availability_zone, row.cidr, row.route) for each, row in locked.subnets.items()} == {
        existing.subnets[0]: ("usw2-az1", "10.70.0.0/20", "nat"),
        existing.subnets[1]: ("usw2-az2", "10.70.16.0/20", "nat"),
        existing.subnets[2]: ("usw2-az1", "10.70.32.0/24", "internet_gateway"),
    }


def test_a_subnet_without_a_table_of_its_own_has_the_routes_of_the_main_one(existing: Existing) -> None:
    subnet = existing.ec2.create_subnet(
        VpcId=existing.vpc_id, CidrBlock="10.70.64.0/20", AvailabilityZoneId="usw2-az3"
    )["Subnet"]["SubnetId"]
    existing.subnets.append(subnet)
    assert existing.locked().subnets[subnet].route == "none"


def test_what_the_account_does_not_have_is_not_locked(existing: Existing) -> None:
    other = existing.ec2.create_vpc(CidrBlock="10.71.0.0/16")["Vpc"]["VpcId"]
    foreign = existing.ec2.create_subnet(VpcId=other, CidrBlock="10.71.0.0/20")["Subnet"]["SubnetId"]
    existing.subnets += [foreign, "subnet-0123456789abcdef0"]
    with pytest.raises(ToolkitError) as caught:
        existing.locked()
    assert f"{foreign} is in {other}" in caught.value.message
    assert "EC2 has no subnet subnet-0123456789abcdef0" in caught.value.message
    existing.vpc_id = "vpc-0123456789abcdef0"
    with pytest.raises(ToolkitError, match="EC2 has no VPC vpc-0123456789abcdef0"):
        existing.locked()


@pytest.mark.hints("W9571")
def test_a_vpc_as_it_was_locked_lacks_only_the_tags_of_a_load_balancer_controller(existing: Existing) -> None:
    assert existing.findings(existing.plan()) == []
    existing.has_load_balancers = True
    plan = existing.plan()
    private, public = existing.findings(plan)
    assert (private.id, public.id) == ("W9571", "W9571")
    assert private.message.startswith(
        f"{existing.subnets[0]} and {existing.subnets[1]} have no tag kubernetes.io/role/"
    )
    for finding in (private, public):
        existing.follow(finding)
    assert existing.findings(plan) == []


@pytest.mark.hints("E9570")
def test_dns_that_is_off_stops_a_deploy(existing: Existing) -> None:
    plan = existing.plan()
    for attribute in ("EnableDnsSupport", "EnableDnsHostnames"):
        existing.ec2.modify_vpc_attribute(VpcId=existing.vpc_id, **{attribute: {"Value": False}})
    found = errors(existing.findings(plan))
    assert [each.message.partition(" of ")[0] for each in found] == ["DNS support", "DNS hostnames"]
    for finding in found:
        existing.follow(finding)
    assert errors(existing.findings(plan)) == []


@pytest.mark.hints("E9570")
def test_a_change_of_its_owner_stops_a_deploy_until_it_is_locked(existing: Existing) -> None:
    plan = existing.plan()
    existing.ec2.associate_vpc_cidr_block(VpcId=existing.vpc_id, CidrBlock="10.72.0.0/16")
    of_first = [{"Name": "association.subnet-id", "Values": [existing.subnets[0]]}]
    (table,) = existing.ec2.describe_route_tables(Filters=of_first)["RouteTables"]
    existing.ec2.delete_route(RouteTableId=table["RouteTableId"], DestinationCidrBlock="0.0.0.0/0")
    range_, *routes = errors(existing.findings(plan))
    assert range_.message.endswith("10.70.0.0/16 and 10.72.0.0/16, and the lock has 10.70.0.0/16")
    assert [each.message.partition(": ")[2] for each in routes] == ["default route is none, not nat"] * 2
    assert all("`neuron-cluster lock dev-inf2`" in each.hint for each in (range_, *routes))
    assert existing.locked().cidrs == ("10.70.0.0/16", "10.72.0.0/16")


@pytest.mark.hints("E9570")
def test_a_subnet_or_vpc_that_is_gone_stops_a_deploy(existing: Existing) -> None:
    plan = existing.plan()
    (endpoint,) = existing.ec2.describe_vpc_endpoints()["VpcEndpoints"]
    existing.ec2.delete_vpc_endpoints(VpcEndpointIds=[endpoint["VpcEndpointId"]])
    existing.ec2.delete_subnet(SubnetId=existing.subnets[1])
    (gone,) = errors(existing.findings(plan))
    assert gone.message == f"{existing.subnets[1]} is not in {existing.vpc_id}"
    network = plan.network
    assert network.existing is not None
    moved = structs.replace(network, existing=structs.replace(network.existing, vpc_id="vpc-0123456789abcdef0"))
    (gone,) = existing.findings(structs.replace(plan, network=moved))
    assert gone.message == f"vpc-0123456789abcdef0 is not in {REGION} of account {ACCOUNT}"


@pytest.mark.hints("E9570")
def test_an_endpoint_of_the_vpc_stops_one_of_the_file(target: LocalTarget, tmp_path: Path) -> None:
    existing = Existing(target, tmp_path, endpoints=["ecr.api", "sts"])
    (conflict,) = errors(existing.findings(existing.plan()))
    assert "of ecr.api with private DNS" in conflict.message
    existing.section["endpoints"] = ["sts"]  # as the hint has it
    assert errors(existing.findings(existing.plan())) == []


HTTPS_FROM_ONE_ADDRESS = [
    {"IpProtocol": "tcp", "FromPort": 443, "ToPort": 443, "IpRanges": [{"CidrIp": "10.70.200.10/32"}]}
]


def endpoint_of(existing: Existing, service: str, **members: Any) -> Any:
    """An interface endpoint with private DNS in the private subnets, whose security group admits the VPC on 443."""
    named = [{"Name": "group-name", "Values": ["endpoints"]}]
    (group,) = existing.ec2.describe_security_groups(Filters=named)["SecurityGroups"]
    name = f"com.amazonaws.{REGION}.{service}"
    given = {"SubnetIds": existing.subnets[:2], "SecurityGroupIds": [group["GroupId"]]} | members
    created = existing.ec2.create_vpc_endpoint(
        VpcId=existing.vpc_id, VpcEndpointType="Interface", ServiceName=name, PrivateDnsEnabled=True, **given
    )
    return created["VpcEndpoint"]


@pytest.mark.hints("E9558")
def test_an_endpoint_whose_security_group_admits_no_node_stops_a_deploy(existing: Existing) -> None:
    """The reported case: a NAT route, and an ec2 endpoint with private DNS that admits one address."""
    group = existing.ec2.create_security_group(GroupName="one", Description="one", VpcId=existing.vpc_id)["GroupId"]
    existing.ec2.authorize_security_group_ingress(GroupId=group, IpPermissions=HTTPS_FROM_ONE_ADDRESS)
    created = endpoint_of(existing, "ec2", SecurityGroupIds=[group])
    plan = existing.plan()
    (found,) = existing.findings(plan)
    assert (found.id, found.location.path) == ("E9558", "network.existing.vpc_id")
    assert found.message == (
        f"{created['VpcEndpointId']} of ec2 has private DNS, so that calls of nodes go to it, but {group} does not "
        "admit TCP 443 from 10.70.0.0/20 and 10.70.16.0/20"
    )
    existing.follow(found)
    assert existing.findings(plan) == []


def _policy(effect: str = "Allow", **members: Any) -> str:
    allow = {"Effect": "Allow", "Principal": "*", "Action": "*", "Resource": "*"}
    return json.dumps({"Statement": [*([allow] if effect == "Deny" else []), allow | {"Effect": effect} | members]})


POLICIES = [
    (_policy(), []),
    (_policy(Action="ec2:CreateTags"), ["E9558"]),
    (_policy("Deny", Action="ec2:Describe*"), ["E9558"]),
    (_policy(Principal={"AWS": "arn:aws:iam::444455556666:root"}), ["W9559"]),
    (_policy(Resource="arn:aws:ec2:us-west-2:111122223333:instance/*"), ["W9559"]),
    (_policy(Condition={"StringEquals": {"aws:PrincipalOrgID": "o-0123456789"}}), ["W9559"]),
    (_policy("Deny", Condition={"StringNotEquals": {"aws:PrincipalOrgID": "o-0123456789"}}), ["W9559"]),
]


@pytest.mark.hints("E9558", "W9559")
@pytest.mark.parametrize(
    ("policy", "expected"),
    [POLICIES[1], *(pytest.param(*row, marks=pytest.mark.exhaustive) for row in [POLICIES[0], *POLICIES[2:]])],
)
def test_a_policy_of_an_endpoint_that_denies_calls_of_nodes_is_found(
    policy: str, expected: list[str], existing: Existing
) -> None:
    endpoint_of(existing, "ec2", PolicyDocument=policy)
    plan = existing.plan()
    found = existing.findings(plan)
    assert [each.id for each in found] == expected
    assert all("ec2:DescribeInstances" in each.message for each in found)
    for each in found:
        existing.follow(each)
    assert existing.findings(plan) == []


def gateway(existing: Existing, tables: list[str], **members: Any) -> str:
    row = existing.ec2.create_vpc_endpoint(
        VpcId=existing.vpc_id, ServiceName=f"com.amazonaws.{REGION}.s3", RouteTableIds=tables, **members
    )["VpcEndpoint"]
    return str(row["VpcEndpointId"])


def table_of(existing: Existing, subnet: str) -> str:
    named = [{"Name": "association.subnet-id", "Values": [subnet]}]
    return str(existing.ec2.describe_route_tables(Filters=named)["RouteTables"][0]["RouteTableId"])


LAYERS = "prod-us-west-2-starport-layer-bucket"


@pytest.mark.exhaustive
@pytest.mark.hints("E9558")
def test_a_gateway_endpoint_that_denies_the_bucket_of_image_layers_stops_a_deploy(existing: Existing) -> None:
    own = _policy(Action="s3:*", Resource=["arn:aws:s3:::cdk-*", "arn:aws:s3:::cdk-*/*"])
    gateway(existing, [table_of(existing, existing.subnets[0])], PolicyDocument=own)
    plan = existing.plan()
    (found,) = existing.findings(plan)
    assert (found.id, f"denies s3:GetObject on arn:aws:s3:::{LAYERS}/any" in found.message) == ("E9558", True)
    existing.follow(found)
    assert existing.findings(plan) == []


def closed(existing: Existing) -> ClusterPlan:
    """A plan of before the private subnets lost their default route; each service but S3 has an endpoint."""
    plan = existing.plan()
    table = table_of(existing, existing.subnets[0])
    existing.ec2.delete_route(RouteTableId=table, DestinationCidrBlock="0.0.0.0/0")
    for service in ("lambda", "sts", "eks", "eks-auth", "ecr.dkr", "ec2"):
        endpoint_of(existing, service)
    return plan


def blocked(existing: Existing, plan: ClusterPlan) -> list[Finding]:
    return [each for each in existing.findings(plan) if each.id == "E9558"]


@pytest.mark.exhaustive
@pytest.mark.hints("E9558")
def test_a_gateway_endpoint_outside_of_a_table_without_default_route_stops_a_deploy(existing: Existing) -> None:
    plan = closed(existing)
    gateway(existing, [table_of(existing, existing.subnets[2])])
    (found,) = blocked(existing, plan)
    assert "of s3 is in no route table of" in found.message
    existing.follow(found)
    assert blocked(existing, plan) == []


@pytest.mark.exhaustive
@pytest.mark.hints("E9558")
def test_an_endpoint_without_private_dns_stops_a_deploy_without_default_route(existing: Existing) -> None:
    (row,) = existing.ec2.describe_vpc_endpoints()["VpcEndpoints"]
    plan = closed(existing)
    gateway(existing, [table_of(existing, existing.subnets[0])])
    assert blocked(existing, plan) == []
    existing.ec2.modify_vpc_endpoint(VpcEndpointId=row["VpcEndpointId"], PrivateDnsEnabled=False)
    (found,) = blocked(existing, plan)
    assert "of ecr.api has no private DNS" in found.message
    existing.follow(found)
    assert blocked(existing, plan) == []


def _pending(existing: Existing, aws: LocalAws) -> None:
    del aws
    backend = ec2_backends[ACCOUNT][REGION]
    next(iter(backend.vpc_end_points.values())).state = "pendingAcceptance"


def _one_zone(existing: Existing, aws: LocalAws) -> None:
    del aws
    (row,) = existing.ec2.describe_vpc_endpoints()["VpcEndpoints"]
    existing.ec2.modify_vpc_endpoint(VpcEndpointId=row["VpcEndpointId"], RemoveSubnetIds=existing.subnets[1:2])


def _tenancy(existing: Existing, aws: LocalAws) -> None:
    del aws
    ec2_backends[ACCOUNT][REGION].vpcs[existing.vpc_id].instance_tenancy = "dedicated"


def _name_servers(existing: Existing, aws: LocalAws) -> None:
    del aws
    servers = [{"Key": "domain-name-servers", "Values": ["10.70.0.9"]}]
    options = existing.ec2.create_dhcp_options(DhcpConfigurations=servers)["DhcpOptions"]["DhcpOptionsId"]
    existing.ec2.associate_dhcp_options(DhcpOptionsId=options, VpcId=existing.vpc_id)


def _public_addresses(existing: Existing, aws: LocalAws) -> None:
    del aws
    existing.ec2.modify_subnet_attribute(SubnetId=existing.subnets[0], MapPublicIpOnLaunch={"Value": True})


def _subnet(existing: Existing, **members: Any) -> None:
    for zone in ec2_backends[ACCOUNT][REGION].subnets.values():
        for name, value in members.items():
            if existing.subnets[0] in zone:
                setattr(zone[existing.subnets[0]], name, value)


def _no_subnet(existing: Existing, aws: LocalAws) -> None:
    del aws
    (row,) = existing.ec2.describe_vpc_endpoints()["VpcEndpoints"]
    existing.ec2.modify_vpc_endpoint(VpcEndpointId=row["VpcEndpointId"], RemoveSubnetIds=existing.subnets[:2])


def _rule(existing: Existing, **members: Any) -> None:
    """In place of the rule of the endpoint's security group."""
    named = [{"Name": "group-name", "Values": ["endpoints"]}]
    (group,) = existing.ec2.describe_security_groups(Filters=named)["SecurityGroups"]
    (rule,) = group["IpPermissions"]
    existing.ec2.revoke_security_group_ingress(GroupId=group["GroupId"], IpPermissions=[rule])
    if members:
        changed = {name: value for name, value in rule.items() if value} | members
        existing.ec2.authorize_security_group_ingress(GroupId=group["GroupId"], IpPermissions=[changed])


def _zone(zone_id: str) -> Zone:
    return Zone("us-west-2c", REGION, zone_id)


SETTINGS = {
    "no subnet": (_no_subnet, "E9558", "has private DNS and no subnet: its name has no address"),
    "no rule": (
        lambda existing, _: _rule(existing),
        "E9558",
        "does not admit TCP 443 from 10.70.0.0/20 and 10.70.16.0/20",
    ),
    "protocol": (lambda existing, _: _rule(existing, IpProtocol="udp"), "E9558", "does not admit TCP 443 from"),
    "port": (lambda existing, _: _rule(existing, FromPort=80, ToPort=80), "E9558", "does not admit TCP 443 from"),
    "range of one subnet": (
        lambda existing, _: _rule(existing, IpRanges=[{"CidrIp": "10.70.0.0/20"}]),
        "E9558",
        "does not admit TCP 443 from 10.70.16.0/20",
    ),
    "zone of a subnet": (
        lambda existing, _: _subnet(existing, _availability_zone=_zone("usw2-az3")),
        "E9570",
        "is no longer as the lock has it: zone is usw2-az3, not usw2-az1",
    ),
    "range of a subnet": (
        lambda existing, _: _subnet(existing, cidr_block="10.70.48.0/20"),
        "E9570",
        "is no longer as the lock has it: CIDR is 10.70.48.0/20, not 10.70.0.0/20",
    ),
    "VPC of a subnet": (
        lambda existing, _: _subnet(existing, vpc_id="vpc-11111111"),
        "E9570",
        "but in vpc-11111111",
    ),
    "pending": (_pending, "E9558", "of ecr.api is pendingAcceptance"),
    "one zone": (_one_zone, "W9559", "has no interface in usw2-az2"),
    "tenancy": (_tenancy, "W9559", "is dedicated: nodes start on dedicated hardware"),
    "name servers": (_name_servers, "W9559", "have the name servers 10.70.0.9, not AmazonProvidedDNS"),
    "public addresses": (_public_addresses, "W9559", "EC2 gives instances in it public addresses"),
    "subnet": (lambda existing, _: _subnet(existing, state="pending"), "E9570", "is pending: nothing can be"),
    "no address": (
        lambda existing, _: _subnet(existing, _available_ip_addresses=4),
        "E9570",
        "has 3 free addresses; without nodes the environment needs",
    ),
    "few addresses": (
        lambda existing, _: _subnet(existing, _available_ip_addresses=61),
        "W9559",
        "has 60 free addresses; at the maximum sizes the environment needs",
    ),
}


@pytest.mark.exhaustive
@pytest.mark.hints("E9558", "W9559", "E9570")
@pytest.mark.parametrize("name", SETTINGS)
def test_each_setting_of_the_vpc_that_harms_nodes_is_found(name: str, existing: Existing, aws: LocalAws) -> None:
    plan = existing.plan()
    change, finding_id, text = SETTINGS[name]
    change(existing, aws)
    (found,) = existing.findings(plan)
    assert (found.id, text in found.message) == (finding_id, True), found.message
    for command in commands_in(found.hint):
        if command.startswith("aws "):
            run_aws(command, existing.target)
    if finding_id == "W9559" and commands_in(found.hint):
        assert existing.findings(plan) == []


@pytest.mark.exhaustive
@pytest.mark.hints("E9570")
@pytest.mark.parametrize("route", ["internet_gateway", "other"])
def test_another_default_route_of_private_subnets_stops_a_deploy(route: str, existing: Existing) -> None:
    plan, ec2 = existing.plan(), existing.ec2
    if route == "internet_gateway":
        target = {"GatewayId": ec2.describe_internet_gateways()["InternetGateways"][0]["InternetGatewayId"]}
    else:
        peer = ec2.create_vpc(CidrBlock="10.71.0.0/16")["Vpc"]["VpcId"]
        peering = ec2.create_vpc_peering_connection(VpcId=existing.vpc_id, PeerVpcId=peer)["VpcPeeringConnection"]
        target = {"VpcPeeringConnectionId": peering["VpcPeeringConnectionId"]}
    table = table_of(existing, existing.subnets[0])
    ec2.replace_route(RouteTableId=table, DestinationCidrBlock="0.0.0.0/0", **target)
    found = errors(existing.findings(plan))
    assert [each.message.partition(": ")[2] for each in found] == [f"default route is {route}, not nat"] * 2


@pytest.mark.exhaustive
@pytest.mark.hints("E9558")
def test_a_gateway_endpoint_that_is_not_available_stops_a_deploy(existing: Existing) -> None:
    endpoint_id = gateway(existing, [table_of(existing, existing.subnets[0])])
    plan = existing.plan()
    ec2_backends[ACCOUNT][REGION].vpc_end_points[endpoint_id].state = "rejected"
    (found,) = existing.findings(plan)
    assert (found.id, f"{endpoint_id} of s3 is rejected, and calls of" in found.message) == ("E9558", True)


@pytest.mark.exhaustive
def test_one_of_several_groups_of_an_endpoint_that_admits_nodes_is_enough(existing: Existing) -> None:
    closed_group = existing.ec2.create_security_group(GroupName="shut", Description="shut", VpcId=existing.vpc_id)
    named = [{"Name": "group-name", "Values": ["endpoints"]}]
    (open_group,) = existing.ec2.describe_security_groups(Filters=named)["SecurityGroups"]
    endpoint_of(existing, "ec2", SecurityGroupIds=[closed_group["GroupId"], open_group["GroupId"]])
    assert existing.findings(existing.plan()) == []
