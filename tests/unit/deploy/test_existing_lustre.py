"""A file system that exists: what stops a deploy, and whether its security group admits nodes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from local_aws.server import LocalAws
from neuron_cluster.aws.session import LocalTarget, client, close_clients
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.deploy.preflight import existing_lustre
from neuron_cluster.deploy.preflight.context import PreflightContext
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.local_checks.product_local_aws import product_local_aws
from tests.existing_vpc import account_vpc, existing_lustre_in

sys.path.insert(0, str(Path(__file__).parents[3] / "tools"))
from hint_commands import command_error, commands_in
from hinted_command import run_aws

pytestmark = pytest.mark.slow
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


def found_by(plan: Any, target: LocalTarget) -> list[Finding]:
    def locate(path: tuple[str | int, ...]) -> Location:
        return Location("dev-inf2.yaml", path=".".join(map(str, path)))

    found = list(
        existing_lustre.check(
            PreflightContext(plan, local_destination(target.endpoint, ACCOUNT, REGION), locate, load_catalog())
        )
    )
    assert [command_error(each) for f in found for each in commands_in(f.hint) if command_error(each)] == []
    return found


def edited(plan: Any, **changes: Any) -> Any:
    """The plan with another file system, or another description of it."""
    lustre = plan.storage.lustre
    of_existing = {key: changes.pop(key) for key in list(changes) if key in lustre.existing.__struct_fields__}
    lustre = structs.replace(lustre, existing=structs.replace(lustre.existing, **of_existing), **changes)
    return structs.replace(plan, storage=structs.replace(plan.storage, lustre=lustre))


@pytest.fixture
def plan(target: LocalTarget, plan_of: Callable[..., Any]) -> Any:
    """An environment in a VPC that exists, with a file system there."""
    section = account_vpc(client(target, "ec2"))
    lustre = existing_lustre_in(client(target, "ec2"), client(target, "fsx"), section)
    return plan_of("dev-inf2", {"network": section, "storage": {"lustre": lustre}})


@pytest.mark.hints("W9575")
def test_a_file_system_as_it_is_described_only_lacks_a_rule(plan: Any, target: LocalTarget) -> None:
    (finding,) = found_by(plan, target)
    assert finding.id == "W9575"
    assert "admits no node of the private subnets on TCP 988 to 1023" in finding.message
    (command,) = commands_in(finding.hint)
    run_aws(command.replace("10.60.0.0/16", "10.70.0.0/16"), target)
    in_its_ranges = structs.replace(plan.network, subnets=tuple(
        structs.replace(each, cidr=each.cidr.replace("10.60.", "10.70.")) for each in plan.network.subnets
    ))  # fmt: skip
    assert found_by(structs.replace(plan, network=in_its_ranges), target) == []


@pytest.mark.hints("E9574")
def test_each_difference_is_found_and_gone_as_the_hint_has_it(plan: Any, target: LocalTarget) -> None:
    other = edited(plan, mount_name="other", capacity_gib=2400, zone_id="usw2-az2", deployment_type="PERSISTENT_1")
    found = {each.location.path: each for each in found_by(other, target) if each.id == "E9574"}
    lustre = plan.storage.lustre
    assert {path: each.hint for path, each in found.items()} == {
        "storage.lustre.existing.mount_name": f"write {lustre.existing.mount_name}",
        "storage.lustre.capacity_gib": "write 1200",
        "storage.lustre.availability_zone": "write usw2-az1",
        "storage.lustre.deployment_type": "write persistent_2",
    }
    assert [each.id for each in found_by(plan, target)] == ["W9575"]


ROW = "fsx.file_systems"
UNFIT_FILE_SYSTEMS = [
    ({"Lifecycle": "MISCONFIGURED"}, "is a LUSTRE file system and MISCONFIGURED"),
    ({"FileSystemType": "WINDOWS"}, "is a WINDOWS file system and AVAILABLE"),
    ({"DNSName": "fs-11111111111111111.fsx.us-west-2.amazonaws.com"}, "dns_name is fs-"),
    ({"StorageCapacity": 2400}, "capacity_gib is 1200, but"),
    ({"StorageType": "HDD"}, "storage_type is ssd, but"),
    ({"VpcId": "vpc-00000000000000000"}, "is in vpc-00000000000000000; the environment is in vpc-"),
    ({"LustreConfiguration": {"MountName": "other"}}, "mount_name is"),
    ({"LustreConfiguration": {"PerUnitStorageThroughput": 250}}, "throughput_mbps_per_tib is 125, but"),
    ({"LustreConfiguration": {"DeploymentType": "SCRATCH_2"}}, "deployment_type is persistent_2, but"),
    ({"NetworkInterfaceIds": []}, "but the network interfaces of"),
]


@pytest.mark.hints("E9574")
@pytest.mark.parametrize(
    ("change", "text"),
    [UNFIT_FILE_SYSTEMS[-1], *(pytest.param(*row, marks=pytest.mark.exhaustive) for row in UNFIT_FILE_SYSTEMS[:-1])],
)
def test_each_attribute_of_a_file_system_that_nodes_cannot_use_is_an_error(
    change: dict[str, Any], text: str, plan: Any, target: LocalTarget, aws: LocalAws
) -> None:
    row = aws.store.table(ACCOUNT, REGION, ROW)[plan.storage.lustre.existing.file_system_id]
    row.update({name: {**row[name], **value} if isinstance(value, dict) else value for name, value in change.items()})
    assert [each.id for each in found_by(plan, target) if text in each.message] == ["E9574"]


@pytest.mark.exhaustive
@pytest.mark.hints("E9574")
def test_the_zone_of_the_subnet_of_a_file_system_is_compared(plan: Any, target: LocalTarget, aws: LocalAws) -> None:
    row = aws.store.table(ACCOUNT, REGION, ROW)[plan.storage.lustre.existing.file_system_id]
    row["SubnetIds"] = [plan.network.subnets[1].identity]
    (found,) = [each for each in found_by(plan, target) if each.id == "E9574"]
    assert (found.location.path, found.hint) == ("storage.lustre.availability_zone", "write usw2-az2")


TIERED = {"StorageType": "INTELLIGENT_TIERING", "StorageCapacity": None}


@pytest.mark.exhaustive
@pytest.mark.hints("E9574")
@pytest.mark.parametrize(
    ("members", "text"),
    [
        ({"ThroughputCapacity": 8000}, "throughput_mbps is 4000, but"),
        ({"MetadataConfiguration": {"Mode": "USER_PROVISIONED", "Iops": 12000}}, "metadata_iops is 6000, but"),
    ],
)
def test_throughput_and_metadata_of_intelligent_tiering_are_compared(
    members: dict[str, Any], text: str, target: LocalTarget, aws: LocalAws, plan_of: Callable[..., Any]
) -> None:
    section = account_vpc(client(target, "ec2"))
    lustre = existing_lustre_in(client(target, "ec2"), client(target, "fsx"), section)
    plain = {key: value for key, value in lustre.items() if key in ("availability_zone", "existing")}
    tiered = {
        "storage_type": "intelligent_tiering",
        "throughput_mbps": 4000,
        "metadata_iops": 6000,
        "read_cache_gib": 0,
    }
    plan = plan_of("dev-inf2", {"network": section, "storage": {"lustre": plain | tiered}})
    row = aws.store.table(ACCOUNT, REGION, ROW)[lustre["existing"]["file_system_id"]]
    has = {
        "ThroughputCapacity": 4000,
        "PerUnitStorageThroughput": None,
        "MetadataConfiguration": {"Mode": "USER_PROVISIONED", "Iops": 6000},
    }
    row.update(TIERED, LustreConfiguration={**row["LustreConfiguration"], **has, **members})
    assert [text in each.message for each in found_by(plan, target) if each.id == "E9574"] == [True]


@pytest.mark.exhaustive
@pytest.mark.hints("E9574")
@pytest.mark.parametrize("folder", ["/", "/checkpoints", "/checkpoints/old"])
def test_an_association_of_others_at_the_folder_stops_a_deploy(
    folder: str, target: LocalTarget, plan_of: Callable[..., Any]
) -> None:
    section = account_vpc(client(target, "ec2"))
    fsx, s3 = client(target, "fsx"), client(target, "s3")
    lustre = existing_lustre_in(client(target, "ec2"), fsx, section)
    s3.create_bucket(Bucket="theirs", CreateBucketConfiguration={"LocationConstraint": REGION})
    fsx.create_data_repository_association(
        FileSystemId=lustre["existing"]["file_system_id"], FileSystemPath=folder, DataRepositoryPath="s3://theirs"
    )
    sync = {"sync": {"file_system_path": "/checkpoints"}}
    storage = {"checkpoint_bucket": {}, "lustre": lustre | sync}
    plan = plan_of("dev-inf2", {"network": section, "lifecycle": "durable", "storage": storage})
    (found,) = [each for each in found_by(plan, target) if each.id == "E9574"]
    assert (found.location.path, f"links {folder} to s3://theirs" in found.message) == (
        "storage.lustre.sync.file_system_path", True
    )  # fmt: skip


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("first", "last", "closed"), [(988, 988, "1018 to 1023"), (1018, 1023, "988"), (988, 1022, "1023")]
)
def test_a_port_of_lustre_that_the_group_does_not_open_is_named(
    first: int, last: int, closed: str, plan: Any, target: LocalTarget
) -> None:
    rule = {"IpProtocol": "tcp", "FromPort": first, "ToPort": last, "IpRanges": [{"CidrIp": "10.0.0.0/8"}]}
    group = plan.storage.lustre.existing.security_group_id
    client(target, "ec2").authorize_security_group_ingress(GroupId=group, IpPermissions=[rule])
    (finding,) = found_by(plan, target)
    assert f"on TCP {closed}: pods wait" in finding.message


@pytest.mark.hints("E9574")
def test_one_that_is_not_there_or_in_another_vpc_stops_a_deploy(plan: Any, target: LocalTarget) -> None:
    (absent,) = found_by(edited(plan, file_system_id="fs-00000000000000000"), target)
    assert absent.message == f"there is no file system fs-00000000000000000 in {REGION}"
    own = structs.replace(plan, network=structs.replace(plan.network, existing=None))
    elsewhere = next(each for each in found_by(own, target) if each.id == "E9574")
    assert elsewhere.message.endswith("; the environment creates a VPC of its own")
    (group,) = [each for each in found_by(edited(plan, security_group_id="sg-00000000"), target) if each.id == "E9574"]
    assert group.message == "there is no security group sg-00000000"
