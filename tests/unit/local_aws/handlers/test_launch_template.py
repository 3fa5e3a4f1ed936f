"""A launch template is kept word for word, and each change of its data is a version."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import ClientError

from local_aws.engine.status_reasons import ResourceFailedError

TYPE = "AWS::EC2::LaunchTemplate"
NEURON = {
    "ImageId": "resolve:ssm:/aws/service/eks/optimized-ami/1.33/amazon-linux-2023/x86_64/neuron/recommended/image_id",
    "InstanceType": "trn1.32xlarge",
    "UserData": "TUlNRS1WZXJzaW9uOiAxLjA=",
    "MetadataOptions": {"HttpTokens": "required", "HttpPutResponseHopLimit": "2", "HttpEndpoint": "enabled"},
    "NetworkInterfaces": [
        {
            "NetworkCardIndex": card,
            "DeviceIndex": 0 if card == 0 else 1,
            "InterfaceType": "efa" if card == 0 else "efa-only",
            "Groups": ["sg-0123456789abcdef0"],
            "DeleteOnTermination": True,
        }
        for card in range(8)
    ],
    "BlockDeviceMappings": [
        {
            "DeviceName": "/dev/xvda",
            "Ebs": {"VolumeSize": "500", "VolumeType": "gp3", "Encrypted": "true", "Iops": 3000, "Throughput": 250},
        }
    ],
    "Placement": {"GroupName": "pg", "Tenancy": "default"},
    "CapacityReservationSpecification": {
        "CapacityReservationPreference": "capacity-reservations-only",
        "CapacityReservationTarget": {"CapacityReservationId": "cr-0123456789abcdef0"},
    },
    "InstanceMarketOptions": {"MarketType": "capacity-block"},
    "CpuOptions": {"CoreCount": 64, "ThreadsPerCore": 1},
    "TagSpecifications": [
        {"ResourceType": kind, "Tags": [{"Key": "neuron-cluster/environment", "Value": "train"}]}
        for kind in ("instance", "volume", "network-interface")
    ],
}


def test_the_whole_data_comes_back(bench: Any, holds: Callable[[Any, Any], bool]) -> None:
    """Eight EFA interfaces, metadata options, volumes, capacity and tags: nothing lost, nothing added."""
    properties = {"LaunchTemplateData": NEURON, "VersionDescription": "first"}
    found = bench.read(TYPE, bench.create(TYPE, properties))
    assert holds(found, properties)
    assert set(found["LaunchTemplateData"]) == set(NEURON)
    interfaces = found["LaunchTemplateData"]["NetworkInterfaces"]
    assert [each["NetworkCardIndex"] for each in interfaces] == list(range(8))
    assert [each["InterfaceType"] for each in interfaces] == ["efa", *["efa-only"] * 7]


def test_tags_of_the_template_stay_out_of_its_data(bench: Any) -> None:
    """Instances do not get the template's own tags."""
    own = [{"ResourceType": "launch-template", "Tags": [{"Key": "owner", "Value": "platform"}]}]
    found = bench.read(TYPE, bench.create(TYPE, {"LaunchTemplateData": NEURON, "TagSpecifications": own}))
    assert found["TagSpecifications"] == own
    assert {each["ResourceType"] for each in found["LaunchTemplateData"]["TagSpecifications"]} == {
        "instance",
        "volume",
        "network-interface",
    }


def test_changed_data_is_a_new_version(bench: Any, holds: Callable[[Any, Any], bool]) -> None:
    """The id stays, the latest version goes up, the default one does not, version 1 is as it was."""
    old, new = {"LaunchTemplateData": NEURON}, {"LaunchTemplateData": {**NEURON, "InstanceType": "trn1n.32xlarge"}}
    resource = bench.create(TYPE, old)
    assert resource.attributes["LatestVersionNumber"] == "1"
    changed = bench.update(TYPE, resource, old, new)
    assert changed.attributes == {
        "LaunchTemplateId": resource.physical_id,
        "LatestVersionNumber": "2",
        "DefaultVersionNumber": "1",
    }
    assert holds(bench.read(TYPE, changed), new)
    versions = bench.client("ec2").describe_launch_template_versions(
        LaunchTemplateId=resource.physical_id, Versions=["1"]
    )
    assert holds(versions["LaunchTemplateVersions"][0]["LaunchTemplateData"], NEURON)


def test_equal_data_is_no_new_version(bench: Any) -> None:
    """A change of the template's own tags alone leaves the versions."""
    old = {"LaunchTemplateData": NEURON}
    tags = [{"ResourceType": "launch-template", "Tags": [{"Key": "a", "Value": "b"}]}]
    changed = bench.update(TYPE, bench.create(TYPE, old), old, {**old, "TagSpecifications": tags})
    assert changed.attributes["LatestVersionNumber"] == "1"
    assert bench.read(TYPE, changed)["TagSpecifications"] == tags


@pytest.mark.parametrize(
    "data",
    [{"ImageIdd": "x"}, {"MetadataOptions": {"HttpToken": "required"}}, {"NetworkInterfaces": [{"Card": 0}]}],
)
def test_a_misspelt_member_is_refused(bench: Any, data: dict[str, Any]) -> None:
    """At any depth."""
    with pytest.raises(ResourceFailedError, match="extraneous key"):
        bench.create(TYPE, {"LaunchTemplateData": data})
    assert bench.client("ec2").describe_launch_templates()["LaunchTemplates"] == []


def test_stack_tags_are_on_the_template(bench: Any) -> None:
    """As on every taggable resource."""
    bench.stack_tags = {"stack": "nodes"}
    found = bench.read(TYPE, bench.create(TYPE, {"LaunchTemplateData": NEURON}))
    assert found["TagSpecifications"][0]["Tags"] == [{"Key": "stack", "Value": "nodes"}]


def test_templates_are_listed_in_pages(bench: Any) -> None:
    ec2 = bench.client("ec2")
    made = [bench.create(TYPE, {"LaunchTemplateData": NEURON}, f"Template{number}") for number in range(3)]
    pages = list(ec2.get_paginator("describe_launch_templates").paginate(PaginationConfig={"PageSize": 2}))
    reported = [[each["LaunchTemplateId"] for each in page["LaunchTemplates"]] for page in pages]
    assert [len(page) for page in reported] == [2, 1]
    assert {*reported[0], *reported[1]} == {each.physical_id for each in made}
    with pytest.raises(ClientError, match="InvalidNextToken"):
        ec2.describe_launch_templates(NextToken="7")
