"""Zones: the rules and the local AWS know the same ones."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from local_aws.clients import local_client
from local_aws.server import LocalAws
from neuron_cluster.catalog.catalog import load_catalog

ACCOUNT = "111122223333"
REGIONS = [row.name for row in load_catalog().regions]


def zones_of(aws: LocalAws, region: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = local_client("ec2", aws.endpoint, ACCOUNT, region).describe_availability_zones()[
        "AvailabilityZones"
    ]
    return found


def test_every_zone_of_the_catalog_is_there_once_under_a_name_of_its_own(local_aws: LocalAws) -> None:
    for region in REGIONS:
        zones = zones_of(local_aws, region)
        assert sorted(zone["ZoneId"] for zone in zones) == sorted(load_catalog().regions.zone_ids(region))
        assert set(Counter(zone["ZoneName"] for zone in zones).values()) == {1}


@pytest.mark.parametrize("zone_id", ["euw2-az4", "cac1-az3", "usw1-az2"])
def test_a_subnet_stands_in_a_zone_that_moto_does_not_know(local_aws: LocalAws, zone_id: str) -> None:
    region = load_catalog().regions.of_zone_id(zone_id)
    assert region is not None
    ec2 = local_client("ec2", local_aws.endpoint, ACCOUNT, region)
    vpc = ec2.create_vpc(CidrBlock="10.0.0.0/16")["Vpc"]["VpcId"]
    subnet = ec2.create_subnet(VpcId=vpc, CidrBlock="10.0.0.0/24", AvailabilityZoneId=zone_id)["Subnet"]
    assert subnet["AvailabilityZoneId"] == zone_id
