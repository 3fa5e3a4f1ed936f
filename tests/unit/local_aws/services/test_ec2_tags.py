"""A resource's tags are its own, in every call that tells them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Clients = Callable[[str], Any]


def test_a_resource_and_the_list_of_tags_say_the_same(client: Clients) -> None:
    ec2 = client("ec2")
    one, other = (ec2.create_vpc(CidrBlock=block)["Vpc"]["VpcId"] for block in ("10.0.0.0/16", "10.1.0.0/16"))
    ec2.create_tags(Resources=[one], Tags=[{"Key": "Name", "Value": "one*"}, {"Key": "team", "Value": ""}])
    ec2.create_tags(Resources=[other], Tags=[{"Key": "Name", "Value": "other"}])
    reported = {vpc["VpcId"]: vpc["Tags"] for vpc in ec2.describe_vpcs(VpcIds=[one, other])["Vpcs"]}
    for vpc in (one, other):
        listed = ec2.describe_tags(Filters=[{"Name": "resource-id", "Values": [vpc]}])["Tags"]
        assert reported[vpc] == [{"Key": tag["Key"], "Value": tag["Value"]} for tag in listed]
        assert {tag["ResourceType"] for tag in listed} == {"vpc"}
    assert [tag["Key"] for tag in reported[one]] == ["Name", "team"]


def test_tags_that_were_taken_off_are_not_told(client: Clients) -> None:
    ec2 = client("ec2")
    vpc = ec2.create_vpc(CidrBlock="10.0.0.0/16")["Vpc"]["VpcId"]
    ec2.create_tags(Resources=[vpc], Tags=[{"Key": "Name", "Value": "one"}])
    assert ec2.describe_vpcs(Filters=[{"Name": "tag:Name", "Values": ["one"]}])["Vpcs"]
    ec2.delete_tags(Resources=[vpc], Tags=[{"Key": "Name"}])
    assert not ec2.describe_vpcs(VpcIds=[vpc])["Vpcs"][0].get("Tags")
    assert not ec2.describe_vpcs(Filters=[{"Name": "tag:Name", "Values": ["one"]}])["Vpcs"]
