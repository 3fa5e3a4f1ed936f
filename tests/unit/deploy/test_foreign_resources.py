"""Resources of others in the VPC are found by id, and its commands delete it in their order."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from local_aws.server import LocalAws
from neuron_cluster.aws.session import LocalTarget, client, close_clients
from neuron_cluster.aws.vpc_resources import Database, VpcResource
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.deploy.foreign_databases import database_items
from neuron_cluster.deploy.foreign_instances import instance_items, instances_of_others
from neuron_cluster.deploy.left_over import in_the_way, made_in_network
from neuron_cluster.deploy.left_over_item import LeftOver
from neuron_cluster.deploy.stack_names import EnvironmentName
from neuron_cluster.local_checks.product_local_aws import product_local_aws

sys.path.insert(0, str(Path(__file__).parents[3] / "tools"))
from hint_commands import command_error
from hinted_command import run_aws

pytestmark = pytest.mark.slow
REGION, ACCOUNT, STACK = "us-west-2", "111122223333", "lab-network"
LAB = EnvironmentName("lab", ACCOUNT, REGION, "aws")
ENDPOINT = {"VpcId": {"Ref": "Vpc"}, "VpcEndpointType": "Interface", "SubnetIds": [{"Ref": "Subnet"}]}
NETWORK = {
    "Vpc": {"Type": "AWS::EC2::VPC", "Properties": {"CidrBlock": "10.70.0.0/16"}},
    "Subnet": {"Type": "AWS::EC2::Subnet", "Properties": {"VpcId": {"Ref": "Vpc"}, "CidrBlock": "10.70.0.0/24"}},
    "Group": {"Type": "AWS::EC2::SecurityGroup", "Properties": {"GroupDescription": "ours", "VpcId": {"Ref": "Vpc"}}},
    "Table": {"Type": "AWS::EC2::RouteTable", "Properties": {"VpcId": {"Ref": "Vpc"}}},
    "Endpoint": {
        "Type": "AWS::EC2::VPCEndpoint",
        "Properties": {
            **ENDPOINT,
            "ServiceName": f"com.amazonaws.{REGION}.sts",
            "SecurityGroupIds": [{"Fn::GetAtt": ["Group", "GroupId"]}],
        },
    },
}


@pytest.fixture(scope="module")
def aws() -> Iterator[LocalAws]:
    with product_local_aws() as running:
        yield running


@pytest.fixture
def target(aws: LocalAws) -> Iterator[LocalTarget]:
    aws.empty()
    found = LocalTarget(REGION, ACCOUNT, aws.endpoint)
    body = json.dumps({"Resources": NETWORK})
    client(found, "cloudformation").create_stack(StackName=STACK, TemplateBody=body)
    aws.engine.wait()
    assert status(found) == "CREATE_COMPLETE"
    yield found
    close_clients(found)


def status(target: LocalTarget) -> str:
    rows = client(target, "cloudformation").list_stacks()["StackSummaries"]
    return str(next(row["StackStatus"] for row in rows if row["StackName"] == STACK))


def ours(target: LocalTarget) -> dict[str, str]:
    rows = client(target, "cloudformation").list_stack_resources(StackName=STACK)["StackResourceSummaries"]
    return {row["LogicalResourceId"]: row["PhysicalResourceId"] for row in rows}


def group(target: LocalTarget, name: str, **tags: str) -> str:
    found = ours(target)
    specification = {"ResourceType": "security-group", "Tags": [{"Key": k, "Value": v} for k, v in tags.items()]}
    made = client(target, "ec2").create_security_group(
        GroupName=name, Description=name, VpcId=found["Vpc"], TagSpecifications=[specification] if tags else []
    )
    return str(made["GroupId"])


def endpoint(target: LocalTarget, service: str, group_id: str, **tags: str) -> str:
    found = ours(target)
    specification = {"ResourceType": "vpc-endpoint", "Tags": [{"Key": k, "Value": v} for k, v in tags.items()]}
    made = client(target, "ec2").create_vpc_endpoint(
        VpcEndpointType="Interface",
        VpcId=found["Vpc"],
        ServiceName=f"com.amazonaws.{REGION}.{service}",
        SubnetIds=[found["Subnet"]],
        SecurityGroupIds=[group_id],
        TagSpecifications=[specification] if tags else [],
        PolicyDocument=json.dumps(
            {"Statement": [{"Effect": "Deny", "Principal": "*", "Action": "*", "Resource": "*"}]}
        ),
    )
    return str(made["VpcEndpoint"]["VpcEndpointId"])


def refer(target: LocalTarget, holder: str, referred: str) -> None:
    pair = [{"GroupId": referred}]
    rule = {"IpProtocol": "tcp", "FromPort": 443, "ToPort": 443, "UserIdGroupPairs": pair}
    client(target, "ec2").authorize_security_group_ingress(GroupId=holder, IpPermissions=[rule])


def listed(target: LocalTarget, *, failed: bool) -> list[LeftOver]:
    here = local_destination(target.endpoint, ACCOUNT, REGION)
    return in_the_way(LAB, here) if failed else made_in_network(LAB, here)


def deleted(target: LocalTarget, aws: LocalAws) -> str:
    client(target, "cloudformation").delete_stack(StackName=STACK)
    aws.engine.wait()
    return status(target)


def run(target: LocalTarget, found: list[LeftOver]) -> None:
    for each in found:
        run_aws(each.command, target)


def test_nothing_of_the_stacks_is_in_the_way(target: LocalTarget) -> None:
    assert listed(target, failed=False) == []
    assert listed(target, failed=True) == []


def test_the_endpoint_of_a_security_service_goes_before_its_group(target: LocalTarget, aws: LocalAws) -> None:
    managed = group(target, "GuardDutyManagedSecurityGroup-vpc", GuardDutyManaged="true")
    made = endpoint(target, "guardduty-data", managed, GuardDutyManaged="true")
    before = listed(target, failed=False)
    assert deleted(target, aws) == "DELETE_FAILED"
    found = listed(target, failed=True)
    assert [each.what for each in found] == [
        f"VPC endpoint {made} of com.amazonaws.us-west-2.guardduty-data, made by GuardDuty",
        f"security group {managed} (GuardDutyManagedSecurityGroup-vpc)",
    ]
    assert before == found, "named before anything is deleted"
    run(target, found)
    assert deleted(target, aws) == "DELETE_COMPLETE"


def test_groups_that_refer_to_ours_lose_their_rules_first(target: LocalTarget, aws: LocalAws) -> None:
    """In a ring, from the default group, and from another VPC."""
    ec2, of_stack = client(target, "ec2"), ours(target)["Group"]
    one, two = group(target, "one"), group(target, "two")
    for holder, referred in ((one, of_stack), (one, two), (two, one), (of_stack, two)):
        refer(target, holder, referred)
    (default,) = [
        row["GroupId"]
        for row in ec2.describe_security_groups(Filters=[{"Name": "vpc-id", "Values": [ours(target)["Vpc"]]}])[
            "SecurityGroups"
        ]
        if row["GroupName"] == "default"
    ]
    refer(target, default, of_stack)
    found = listed(target, failed=False)
    kinds = [each.what.split()[0] for each in found]
    assert kinds == ["rule"] * 5 + ["security"] * 2
    run(target, found)
    assert deleted(target, aws) == "DELETE_COMPLETE"


def test_the_group_of_the_cluster_is_not_listed_while_the_cluster_is_there(target: LocalTarget) -> None:
    group(target, "eks-cluster-sg-lab-1", **{"kubernetes.io/cluster/lab": "owned"})
    other = group(target, "eks-cluster-sg-other-1", **{"kubernetes.io/cluster/other": "owned"})
    assert [each.what.split()[2] for each in listed(target, failed=False)] == [other]
    assert len(listed(target, failed=True)) == 2, "a cluster that is gone has left it"


@pytest.mark.exhaustive
def test_what_users_made_in_the_subnets_goes_in_order(target: LocalTarget, aws: LocalAws) -> None:
    """A NAT gateway, an endpoint of a user, a peering connection, a subnet with an instance, and a route table."""
    ec2, found = client(target, "ec2"), ours(target)
    gateway = ec2.create_nat_gateway(SubnetId=found["Subnet"], ConnectivityType="private")["NatGateway"]["NatGatewayId"]
    theirs = endpoint(target, "ssm", found["Group"])
    subnet = ec2.create_subnet(VpcId=found["Vpc"], CidrBlock="10.70.9.0/24")["Subnet"]["SubnetId"]
    table = ec2.create_route_table(VpcId=found["Vpc"])["RouteTable"]["RouteTableId"]
    other = ec2.create_vpc(CidrBlock="10.99.0.0/16")["Vpc"]["VpcId"]
    peering = ec2.create_vpc_peering_connection(VpcId=found["Vpc"], PeerVpcId=other)["VpcPeeringConnection"]
    interface = ec2.create_network_interface(SubnetId=subnet, Description="mine")["NetworkInterface"]
    assert deleted(target, aws) == "DELETE_FAILED"
    left = listed(target, failed=True)
    named = [next(word for word in each.what.split() if "-" in word) for each in left]
    assert named == [
        theirs,
        gateway,
        peering["VpcPeeringConnectionId"],
        interface["NetworkInterfaceId"],
        subnet,
        table,
    ]
    run(target, left)
    assert deleted(target, aws) == "DELETE_COMPLETE"


def test_gateways_of_others_are_detached(target: LocalTarget, aws: LocalAws) -> None:
    ec2, vpc = client(target, "ec2"), ours(target)["Vpc"]
    internet = ec2.create_internet_gateway()["InternetGateway"]["InternetGatewayId"]
    ec2.attach_internet_gateway(InternetGatewayId=internet, VpcId=vpc)
    egress = ec2.create_egress_only_internet_gateway(VpcId=vpc)["EgressOnlyInternetGateway"]
    private = ec2.create_vpn_gateway(Type="ipsec.1")["VpnGateway"]["VpnGatewayId"]
    ec2.attach_vpn_gateway(VpnGatewayId=private, VpcId=vpc)
    carrier = ec2.create_carrier_gateway(VpcId=vpc)["CarrierGateway"]["CarrierGatewayId"]
    other = ec2.create_vpc(CidrBlock="10.99.0.0/16")["Vpc"]["VpcId"]
    ec2.create_egress_only_internet_gateway(VpcId=other)
    before = listed(target, failed=False)
    with aws.faults.access_denied("ec2", "DescribeCarrierGateways"):
        assert len(listed(target, failed=False)) == len(before) - 1
    assert deleted(target, aws) == "DELETE_FAILED"
    found = listed(target, failed=True)
    assert found == before, "named before anything is deleted"
    assert [each.command.split()[2] for each in found] == [
        "detach-internet-gateway",
        "delete-internet-gateway",
        "delete-egress-only-internet-gateway",
        "delete-carrier-gateway",
        "detach-vpn-gateway",
    ]
    named = " ".join(each.command for each in found)
    assert all(each in named for each in (internet, egress["EgressOnlyInternetGatewayId"], carrier, private))
    run(target, found)
    assert deleted(target, aws) == "DELETE_COMPLETE"


def test_the_group_of_others_goes_and_starts_no_instance_again(target: LocalTarget, aws: LocalAws) -> None:
    ec2, scaling, subnet = client(target, "ec2"), client(target, "autoscaling"), ours(target)["Subnet"]
    image = ec2.describe_images(Owners=["amazon"])["Images"][0]["ImageId"]
    scaling.create_launch_configuration(LaunchConfigurationName="web", ImageId=image, InstanceType="t3.micro")
    scaling.create_auto_scaling_group(
        AutoScalingGroupName="web",
        LaunchConfigurationName="web",
        MinSize=1,
        MaxSize=1,
        DesiredCapacity=1,
        VPCZoneIdentifier=subnet,
    )
    before = listed(target, failed=False)
    assert deleted(target, aws) == "DELETE_FAILED"
    found = listed(target, failed=True)
    assert found == before
    (group_of_others,) = found
    assert group_of_others.what.startswith("Auto Scaling group: web, which started i-")
    run(target, found)
    assert deleted(target, aws) == "DELETE_COMPLETE"


HERE = local_destination("http://127.0.0.1:1", ACCOUNT, REGION)
OURS = frozenset({"lab-nodes", "lab-nodes-group", "fleet-ours"})
STARTED = {
    "a stack, also of its group": (
        {"aws:cloudformation:stack-name": "web", "aws:autoscaling:groupName": "web-group"},
        "cloudformation delete-stack",
    ),
    "a group, also by a fleet": (
        {"aws:autoscaling:groupName": "web-group", "aws:ec2:fleet-id": "fleet-1"},
        "autoscaling delete-auto-scaling-group --force-delete",
    ),
    "a fleet": ({"aws:ec2:fleet-id": "fleet-1"}, "ec2 delete-fleets --terminate-instances"),
    "a Spot Fleet": ({"aws:ec2spot:fleet-request-id": "sfr-1"}, "ec2 cancel-spot-fleet-requests"),
    "a person": ({"Name": "mine"}, "ec2 terminate-instances"),
    "a stack of ours": ({"aws:cloudformation:stack-name": "lab-nodes"}, None),
    "a group of ours": ({"aws:autoscaling:groupName": "lab-nodes-group", "aws:ec2:fleet-id": "fleet-1"}, None),
    "a fleet of ours": ({"aws:ec2:fleet-id": "fleet-ours"}, None),
    "a service of ours": ({"aws:pcs:cluster": "lab", "aws:ec2:fleet-id": "fleet-1"}, None),
    "the toolkit": ({"neuron-cluster:environment": "lab"}, None),
}


@pytest.mark.parametrize("case", STARTED)
def test_what_starts_instances_again_goes_in_their_place(case: str) -> None:
    tags, command = STARTED[case]
    found = instances_of_others([VpcResource("i-1", "t3.micro", tags)], ("aws:pcs:",), OURS)
    assert [each.command.startswith(f"aws {command} ") for each in instance_items(HERE, found)] == [True] * bool(
        command
    )
    assert all(not command_error(each.command) for each in instance_items(HERE, found))


DATABASES = (
    (Database("results", "postgres", "", ""), ["rds delete-db-instance ~results-last"]),
    (Database("copy", "postgres", "", "results"), ["rds delete-db-instance --skip-final-snapshot"]),
    (Database("one", "aurora-mysql", "all", ""), ["rds delete-db-instance", "rds delete-db-cluster ~all-last"]),
    (Database("one", "docdb", "all", ""), ["docdb delete-db-instance", "docdb delete-db-cluster ~all-last"]),
    (
        Database("one", "neptune", "all", ""),
        ["neptune delete-db-instance --skip-final-snapshot", "neptune delete-db-cluster ~all-last"],
    ),
    (Database("one", "postgres", "all", ""), ["rds delete-db-cluster ~all-last"]),
)


@pytest.mark.parametrize(("database", "commands"), DATABASES)
def test_the_last_snapshot_is_of_what_holds_the_data(database: Database, commands: list[str]) -> None:
    found = list(database_items(HERE, [database]))
    for each, expected in zip(found, commands, strict=True):
        operation, _, snapshot = expected.partition(" ~")
        assert each.command.startswith(f"aws {operation} --region ")
        assert each.command.partition(" --final-db-snapshot-identifier ")[2] == snapshot
        assert ("keeps a last snapshot" in each.what) is bool(snapshot)
        assert not command_error(each.command)


def test_a_cluster_goes_once_and_after_its_instances(target: LocalTarget) -> None:
    ec2, rds, subnet = client(target, "ec2"), client(target, "rds"), ours(target)["Subnet"]
    ec2.create_network_interface(SubnetId=subnet, Description="RDSNetworkInterface")
    rds.create_db_subnet_group(DBSubnetGroupName="lab", DBSubnetGroupDescription="lab", SubnetIds=[subnet])
    engine = {"Engine": "aurora-postgresql", "DBSubnetGroupName": "lab"}
    rds.create_db_cluster(DBClusterIdentifier="all", MasterUsername="a", MasterUserPassword="p" * 9, **engine)
    for name in ("one", "two"):
        rds.create_db_instance(
            DBInstanceIdentifier=name, DBInstanceClass="db.r6g.large", DBClusterIdentifier="all", **engine
        )
    found = [each for each in listed(target, failed=False) if each.what.startswith("database")]
    assert [each.what.split(" (")[0] for each in found] == ["database one", "database two", "database cluster all"]
    run(target, found)
    snapshots = rds.describe_db_cluster_snapshots(SnapshotType="manual")["DBClusterSnapshots"]
    assert [each["DBClusterSnapshotIdentifier"] for each in snapshots] == ["all-last"]
    assert not rds.describe_db_clusters()["DBClusters"]


DESCRIBED = {
    "Route 53 Resolver: rslvr-in-55829d25:rni-94": ("Route 53 Resolver endpoint", "rslvr-in-55829d25"),
    "Network Interface for Transit Gateway Attachment tgw-attach-06bf": (
        "transit gateway attachment",
        "tgw-attach-06bf",
    ),
    "EFS mount target for fs-0a1 (fsmt-0b2)": ("EFS mount target", "fsmt-0b2"),
    "AWS created network interface for fs-0a1": ("FSx file system", "fs-0a1"),
    "ELB old-web": ("Classic Load Balancer", "old-web"),
}
OF_NOBODY = ("ELB app/new-web/50dc", "ELB net/new-web/50dc", "Amazon EKS lab", "mine", "")


def test_the_owner_of_an_interface_is_read_from_its_description() -> None:
    def owner(description: str) -> Any:
        return next(
            ((each.name, found) for each in load_catalog().interface_owners if (found := each.owner_in(description))),
            None,
        )

    assert {each: owner(each) for each in DESCRIBED} == DESCRIBED
    assert [owner(each) for each in OF_NOBODY] == [None] * len(OF_NOBODY)


@pytest.mark.parametrize(
    ("description", "command"),
    [
        ("Route 53 Resolver: rslvr-in-55829d25:rni-94", "route53resolver delete-resolver-endpoint"),
        pytest.param("EFS mount target for fs-0a1 (fsmt-0b2)", "efs delete-mount-target", marks=pytest.mark.exhaustive),
        pytest.param("RDSNetworkInterface", "rds delete-db-instance", marks=pytest.mark.exhaustive),
    ],
)
def test_the_owner_of_an_interface_is_named_in_its_place(target: LocalTarget, description: str, command: str) -> None:
    ec2, subnet = client(target, "ec2"), ours(target)["Subnet"]
    ec2.create_network_interface(SubnetId=subnet, Description=description)
    rds = client(target, "rds")
    rds.create_db_subnet_group(DBSubnetGroupName="lab", DBSubnetGroupDescription="lab", SubnetIds=[subnet])
    rds.create_db_instance(
        DBInstanceIdentifier="results", Engine="postgres", DBInstanceClass="db.t4g.micro", DBSubnetGroupName="lab"
    )
    (found,) = [each for each in listed(target, failed=True) if "interface" not in each.what]
    assert command in found.command
    assert not [each for each in listed(target, failed=True) if each.what.startswith("interface ")]


def test_what_aws_does_not_list_adds_nothing(target: LocalTarget, aws: LocalAws) -> None:
    made = endpoint(target, "ssm", group(target, "mine"))
    with (
        aws.faults.access_denied("ec2", "DescribeSecurityGroups"),
        aws.faults.access_denied("ec2", "DescribeInstances"),
    ):
        found = listed(target, failed=True)
    assert [each.what for each in found] == [f"VPC endpoint {made} of com.amazonaws.us-west-2.ssm"]
