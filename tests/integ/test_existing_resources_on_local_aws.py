"""Resources that exist: an environment is deployed into them and destroyed with its data, and they are as before."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from botocore.exceptions import ClientError

from neuron_cluster.aws.session import LocalTarget, client
from tests.existing_vpc import account_vpc, existing_lustre_in

from .only_data import ONLY_DATA, with_only_data

pytestmark = pytest.mark.slow
NAME = "in-existing-vpc"


def state_of(target: LocalTarget, vpc_id: str) -> dict[str, Any]:
    """Everything of the VPC that its owner has: without the security groups that an environment adds."""
    ec2 = client(target, "ec2")
    in_vpc = [{"Name": "vpc-id", "Values": [vpc_id]}]
    return {
        "vpc": ec2.describe_vpcs(VpcIds=[vpc_id])["Vpcs"],
        "subnets": ec2.describe_subnets(Filters=in_vpc)["Subnets"],
        "routes": ec2.describe_route_tables(Filters=in_vpc)["RouteTables"],
        "gateways": ec2.describe_nat_gateways(Filters=in_vpc)["NatGateways"],
        "endpoints": ec2.describe_vpc_endpoints(Filters=in_vpc)["VpcEndpoints"],
        "file systems": client(target, "fsx").describe_file_systems()["FileSystems"],
        "rules of the file system": ec2.describe_security_groups(
            Filters=[{"Name": "group-name", "Values": ["team-lustre"]}]
        )["SecurityGroups"],
        "flow logs": ec2.describe_flow_logs(Filters=[{"Name": "resource-id", "Values": [vpc_id]}])["FlowLogs"],
        "interfaces": len(ec2.describe_network_interfaces(Filters=in_vpc)["NetworkInterfaces"]),
    }


def without_addresses(state: dict[str, Any]) -> dict[str, Any]:
    """While nodes run, free addresses and interfaces are others."""
    subnets = [{k: v for k, v in each.items() if k != "AvailableIpAddressCount"} for each in state["subnets"]]
    return {**state, "subnets": subnets, "interfaces": None}


@pytest.mark.exhaustive
@pytest.mark.hints("E9570")
def test_it_is_deployed_into_and_left_as_it_was(
    project: Path, command: Callable[..., Any], target: LocalTarget
) -> None:
    ec2 = client(target, "ec2")
    section = account_vpc(ec2)
    lustre = existing_lustre_in(ec2, client(target, "fsx"), section)
    file = project / "environments" / f"{NAME}.yaml"
    tree = yaml.safe_load((project / "environments" / "dev-inf2.yaml").read_text())
    file.write_text(
        yaml.safe_dump(tree | {"name": NAME, "network": section, "storage": {"lustre": lustre}}, sort_keys=False)
    )
    vpc_id = section["existing"]["vpc_id"]
    before = state_of(target, vpc_id)

    unlocked = command("deploy", "--local", NAME)
    assert (unlocked.status, [each for each in unlocked.ids if each.startswith("E")]) == (1, ["E1042"])
    assert command("lock", "--local", NAME).status == 0
    deployed = command("deploy", "--local", NAME)
    assert deployed.status == 0, deployed.err
    groups = ec2.describe_security_groups(Filters=[{"Name": "vpc-id", "Values": [vpc_id]}])["SecurityGroups"]
    assert len(groups) > 1
    assert without_addresses(state_of(target, vpc_id)) == without_addresses(before)

    # Its owner takes the route to NAT away: nothing is changed until the lock has it.
    table = next(each for each in before["routes"] if any(r.get("NatGatewayId") for r in each["Routes"]))
    route = {"RouteTableId": table["RouteTableId"], "DestinationCidrBlock": "0.0.0.0/0"}
    nat = next(r["NatGatewayId"] for r in table["Routes"] if r.get("NatGatewayId"))
    ec2.delete_route(**route)
    drifted = command("deploy", "--local", NAME)
    assert (drifted.status, {each for each in drifted.ids if each.startswith("E")}) == (1, {"E9570"})
    assert command("lock", "--local", NAME, "--check").status == 1
    ec2.create_route(**route, NatGatewayId=nat)
    assert command("lock", "--local", NAME, "--check").status == 0

    destroyed = command("destroy", "--local", NAME, "--delete-data", NAME)
    assert destroyed.status == 0, destroyed.err
    assert state_of(target, vpc_id) == before
    groups = ec2.describe_security_groups(Filters=[{"Name": "vpc-id", "Values": [vpc_id]}])["SecurityGroups"]
    assert sorted(each["GroupName"] for each in groups) == ["default", "endpoints", "team-lustre"]


def bucket_state(target: LocalTarget, bucket: str, key_arn: str) -> dict[str, Any]:
    """Configuration, versions and tags of a bucket, and its key."""
    s3, kms = client(target, "s3"), client(target, "kms")
    state: dict[str, Any] = {
        "versions": [each["VersionId"] for each in s3.list_object_versions(Bucket=bucket).get("Versions", ())],
        "key": kms.describe_key(KeyId=key_arn)["KeyMetadata"],
        "key policy": kms.get_key_policy(KeyId=key_arn, PolicyName="default")["Policy"],
        "key tags": kms.list_resource_tags(KeyId=key_arn)["Tags"],
        "grants": kms.list_grants(KeyId=key_arn)["Grants"],
        "aliases": kms.list_aliases(KeyId=key_arn)["Aliases"],
    }
    for call in (
        s3.get_bucket_versioning, s3.get_bucket_encryption, s3.get_bucket_policy, s3.get_bucket_tagging,
        s3.get_bucket_lifecycle_configuration, s3.get_bucket_notification_configuration, s3.get_public_access_block,
    ):  # fmt: skip
        try:
            answer = call(Bucket=bucket)
        except ClientError as error:
            answer = error.response["Error"]["Code"]
        else:
            del answer["ResponseMetadata"]
        state[call.__name__] = answer
    return state


def create_bucket(s3: Any, bucket: str, key_arn: str) -> None:
    """With versions and the key, as the environment requires of one that exists."""
    s3.create_bucket(Bucket=bucket, CreateBucketConfiguration={"LocationConstraint": "us-west-2"})
    s3.put_bucket_versioning(Bucket=bucket, VersioningConfiguration={"Status": "Enabled"})
    default = {"ApplyServerSideEncryptionByDefault": {"SSEAlgorithm": "aws:kms", "KMSMasterKeyID": key_arn}}
    s3.put_bucket_encryption(Bucket=bucket, ServerSideEncryptionConfiguration={"Rules": [default]})


def test_a_bucket_and_a_key_are_left_as_they_were(
    project: Path, command: Callable[..., Any], target: LocalTarget
) -> None:
    """With `--delete-data` too, which deletes the file system that the environment created."""
    s3, kms = client(target, "s3"), client(target, "kms")
    bucket, key_arn = "team-checkpoints", kms.create_key()["KeyMetadata"]["Arn"]
    existing = f"existing: {{name: {bucket}, key_arn: '{key_arn}'}}"
    text = ONLY_DATA.replace("checkpoint_bucket: {}", f"key_arn: '{key_arn}'\n  checkpoint_bucket: {{{existing}}}")
    with_only_data(project, text)
    missing = command("deploy", "--local", "only-data")
    assert (missing.status, {each for each in missing.ids if each.startswith("E")}) == (1, {"E9572"})
    create_bucket(s3, bucket, key_arn)
    s3.put_object(Bucket=bucket, Key="step-1/model", Body=b"weights")
    before = bucket_state(target, bucket, key_arn)

    deployed = command("deploy", "--local", "only-data")
    assert deployed.status == 0, deployed.err
    assert bucket_state(target, bucket, key_arn) == before
    fsx = client(target, "fsx")
    encrypted = [each["KmsKeyId"] for each in fsx.describe_file_systems()["FileSystems"]]
    assert encrypted.count(key_arn) == 1

    create_bucket(s3, "other-checkpoints", key_arn)
    with_only_data(project, text.replace(bucket, "other-checkpoints"))
    other = command("deploy", "--local", "only-data")
    found = [(each["id"], each["path"]) for each in other.document["findings"] if each["severity"] == "error"]
    assert (other.status, found) == (1, [("E9577", "storage.checkpoint_bucket.existing")])
    with_only_data(project, text)
    destroyed = command("destroy", "--local", "only-data", "--delete-data", "only-data")
    assert destroyed.status == 0, destroyed.err
    assert key_arn not in [each["KmsKeyId"] for each in fsx.describe_file_systems()["FileSystems"]]
    assert bucket_state(target, bucket, key_arn) == before


@pytest.mark.exhaustive
def test_the_shipped_environment_is_deployed_into_all_that_exists(
    project: Path, command: Callable[..., Any], target: LocalTarget
) -> None:
    """As its editor does it: its own ids in the file, `lock`, and a deploy."""
    ec2, s3 = client(target, "ec2"), client(target, "s3")
    section = account_vpc(ec2)
    lustre = existing_lustre_in(ec2, client(target, "fsx"), section)
    bucket, key_arn = "shared-checkpoints", client(target, "kms").create_key()["KeyMetadata"]["Arn"]
    create_bucket(s3, bucket, key_arn)
    file = project / "environments" / "existing-vpc.yaml"
    tree = yaml.safe_load(file.read_text())
    tree["network"] = section
    tree["storage"] = {"lustre": lustre, "checkpoint_bucket": {"existing": {"name": bucket, "key_arn": key_arn}}}
    tree["eks"]["node_groups"][1]["availability_zone"] = lustre["availability_zone"]
    file.write_text(yaml.safe_dump(tree, sort_keys=False))
    vpc_id = section["existing"]["vpc_id"]
    before = state_of(target, vpc_id), bucket_state(target, bucket, key_arn)

    assert command("lock", "--local", file.stem).status == 0
    deployed = command("deploy", "--local", file.stem)
    assert deployed.status == 0, deployed.err
    destroyed = command("destroy", "--local", file.stem, "--delete-data", file.stem)
    assert destroyed.status == 0, destroyed.err
    assert (state_of(target, vpc_id), bucket_state(target, bucket, key_arn)) == before
