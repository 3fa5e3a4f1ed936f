"""Every EFA layout of every type, launched from a template and read back: each interface on its card, as planned."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest

from local_aws.clients import local_client
from local_aws.quotas import set_quota
from local_aws.server import LocalAws
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.instance_type import InstanceType
from neuron_cluster.planning.build_interfaces import build_interfaces
from neuron_cluster.providers.eks.plan.build_node_group import SECURITY_GROUPS
from tests.every_run import in_every_run

ACCOUNT = "600000000000"
CATALOG = load_catalog()
TYPES = [row for row in CATALOG.instance_types if row.launchable and row.efa_interfaces and row.zone_ids]
OF_EACH_NUMBER_OF_CARDS = list({row.efa_interfaces: row for row in TYPES}.values())
LAYOUTS = [layout.name for layout in CATALOG.interface_layouts]
FREE = 256 - 5
"""Addresses of an empty /24."""

Launch = Callable[[InstanceType, str], tuple[dict[str, Any], int]]


@pytest.fixture
def launch(local_aws: LocalAws) -> Launch:
    """Launches one machine of a type with a layout; the machine as EC2 tells of it, and the free addresses left."""

    def run(row: InstanceType, layout: str) -> tuple[dict[str, Any], int]:
        region, zones = next(iter(row.zone_ids.items()))
        ec2 = local_client("ec2", local_aws.endpoint, ACCOUNT, region)
        if row.on_demand_quota is not None:
            set_quota(local_aws.store, ACCOUNT, region, row.on_demand_quota.code, 10_000)
        vpc = ec2.create_vpc(CidrBlock="10.0.0.0/16")["Vpc"]["VpcId"]
        subnet = ec2.create_subnet(VpcId=vpc, CidrBlock="10.0.0.0/24", AvailabilityZoneId=zones[0])["Subnet"][
            "SubnetId"
        ]
        group = ec2.create_security_group(GroupName="efa", Description="efa", VpcId=vpc)["GroupId"]
        interfaces = [
            {
                "NetworkCardIndex": plan.network_card_index,
                "DeviceIndex": plan.device_index,
                "InterfaceType": plan.interface_type,
                "Groups": [group],
                "SubnetId": subnet,
            }
            for plan in build_interfaces(CATALOG.interface_layouts[layout], row.efa_interfaces or 0, SECURITY_GROUPS)
        ]
        data = {"InstanceType": row.name, "NetworkInterfaces": interfaces}
        ec2.create_launch_template(LaunchTemplateName=vpc, LaunchTemplateData=data)
        template = {"LaunchTemplateName": vpc}
        made = ec2.run_instances(ImageId="ami-1", LaunchTemplate=template, MinCount=1, MaxCount=1)["Instances"][0]
        found = ec2.describe_instances(InstanceIds=[made["InstanceId"]])["Reservations"][0]["Instances"][0]
        free = ec2.describe_subnets(SubnetIds=[subnet])["Subnets"][0]["AvailableIpAddressCount"]
        ec2.terminate_instances(InstanceIds=[made["InstanceId"]])
        mine = [{"Name": "vpc-id", "Values": [vpc]}]
        assert ec2.describe_network_interfaces(Filters=mine)["NetworkInterfaces"] == [], "they end with the machine"
        return found, free

    return run


@pytest.mark.parametrize(
    ("row", "layout"),
    in_every_run(itertools.product(TYPES, LAYOUTS), always=[*itertools.product(OF_EACH_NUMBER_OF_CARDS, LAYOUTS)]),
    ids=lambda value: getattr(value, "name", value),
)
def test_what_was_planned_is_what_the_machine_has(launch: Launch, row: InstanceType, layout: str) -> None:
    planned = build_interfaces(CATALOG.interface_layouts[layout], row.efa_interfaces or 0, SECURITY_GROUPS)
    found, free = launch(row, layout)
    reported = {
        (each["Attachment"]["NetworkCardIndex"], each["Attachment"]["DeviceIndex"], each["InterfaceType"])
        for each in found["NetworkInterfaces"]
    }
    assert reported == {(plan.network_card_index, plan.device_index, plan.interface_type) for plan in planned}
    without_address = [each for each in found["NetworkInterfaces"] if "PrivateIpAddress" not in each]
    assert {each["InterfaceType"] for each in without_address} <= {"efa-only"}
    assert FREE - free == sum(plan.interface_type != "efa-only" for plan in planned)


def test_all_cards_are_looked_at() -> None:
    assert {row.efa_interfaces for row in TYPES} == {1, 8, 16}
    assert len(LAYOUTS) == 4
