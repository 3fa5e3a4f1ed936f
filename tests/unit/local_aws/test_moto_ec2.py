"""Data that moto's EC2 does not read at the start is there when it is needed."""

from __future__ import annotations

import boto3
import pytest
from moto.ec2.models.availability_zones_and_regions import RegionsAndZonesBackend
from moto.ec2.models.instance_types import INSTANCE_TYPE_OFFERINGS

from local_aws.clients import local_client
from local_aws.server import LocalAws


@pytest.mark.parametrize(("location_type", "location"), [("region", "us-west-2"), ("availability-zone", "us-west-2b")])
def test_what_a_region_offers(local_aws: LocalAws, location_type: str, location: str) -> None:
    ec2 = local_client("ec2", local_aws.endpoint, "1" * 12, "us-west-2")
    filters = [{"Name": "instance-type", "Values": ["t3.micro"]}]
    found = ec2.describe_instance_type_offerings(LocationType=location_type, Filters=filters)["InstanceTypeOfferings"]
    assert {"InstanceType": "t3.micro", "LocationType": location_type, "Location": location} in found
    by_region = INSTANCE_TYPE_OFFERINGS[location_type]
    assert len(by_region) > 20
    assert {"us-west-2", "eu-west-1"} < set(by_region)
    assert by_region.get("us-west-22", []) == []


def test_the_regions_are_those_of_botocore(local_aws: LocalAws) -> None:
    """Also where they were listed without botocore's model of EC2."""
    names = [region.name for region in RegionsAndZonesBackend.regions]
    partitions = ("aws", "aws-us-gov", "aws-cn")
    assert names == [
        name for partition in partitions for name in boto3.Session().get_available_regions("ec2", partition)
    ]
