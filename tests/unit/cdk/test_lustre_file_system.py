"""The public file system."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from .conftest import OtherApp


def test_it_is_encrypted_with_the_key_in_the_subnet_of_its_zone(resource: Callable[[str, str], Any]) -> None:
    found = resource("AWS::FSx::FileSystem", "Files")
    assert (found["FileSystemType"], found["StorageCapacity"]) == ("LUSTRE", 2400)
    assert found["SubnetIds"] == [{"Ref": "NetworkPrivateusw2az46F5520BA"}]
    assert found["KmsKeyId"]["Fn::GetAtt"][0].startswith("FilesKey")


def test_file_system_key_and_its_group_outlive_the_stack(template: dict[str, Any]) -> None:
    kept = {
        each["Type"]
        for name, each in template["Resources"].items()
        if name.startswith("Files") and each.get("DeletionPolicy") == "RetainExceptOnCreate"
    }
    assert kept == {"AWS::FSx::FileSystem", "AWS::KMS::Key", "AWS::EC2::SecurityGroup"}


def test_clients_and_servers_reach_each_other_and_nothing_else(template: dict[str, Any]) -> None:
    rules = [
        each["Properties"]
        for name, each in template["Resources"].items()
        if name.startswith("Files") and each["Type"] == "AWS::EC2::SecurityGroupIngress"
    ]
    assert sorted((rule["FromPort"], rule["ToPort"]) for rule in rules) == [(988, 988)] * 3 + [(1018, 1023)] * 3
    assert all("CidrIp" not in rule for rule in rules)


@pytest.mark.parametrize(
    ("edits", "text"),
    [
        ({"capacity_gib": 1000}, "ml/Files: capacity_gib is 1000"),
        ({"throughput_mbps_per_tib": 7}, "throughput_mbps_per_tib is 7"),
        ({"deployment_type": "scratch"}, 'deployment_type is "scratch"; allowed: '),
    ],
)
def test_invalid_parameters(edits: dict[str, Any], text: str, other_app: OtherApp) -> None:
    from neuron_cluster.cdk import InvalidParameters, LustreFileSystem

    place = {"vpc_id": "vpc-1", "subnet_id": "subnet-1", "availability_zone": "usw2-az4", "capacity_gib": 1200}
    with pytest.raises(InvalidParameters) as raised:
        LustreFileSystem(other_app.stack, "Files", **place | edits)
    assert text in str(raised.value)
