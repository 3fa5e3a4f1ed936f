"""IAM principals of access entries: on AWS they must exist; a seed makes those that an environment names."""

from __future__ import annotations

import json

import pytest
from botocore.exceptions import ClientError

from local_aws.clients import local_client
from local_aws.server import LocalAws
from neuron_cluster.local_checks.principals import make_principals

ACCOUNT, OTHER, REGION = "700000000000", "700000000001", "us-west-2"


@pytest.fixture(scope="module")
def local_aws():
    with LocalAws(principals_must_exist=True) as running:
        yield running


@pytest.fixture(scope="module")
def eks(local_aws, make_eks):
    return make_eks(local_aws)


@pytest.fixture(scope="module")
def make_eks():
    """A client of EKS in an account with the cluster ``trn``."""

    def make(aws):
        ec2, eks, iam = (local_client(service, aws.endpoint, ACCOUNT, REGION) for service in ("ec2", "eks", "iam"))
        vpc = ec2.create_vpc(CidrBlock="10.0.0.0/16")["Vpc"]["VpcId"]
        subnets = [
            ec2.create_subnet(VpcId=vpc, CidrBlock=f"10.0.{number}.0/24", AvailabilityZoneId=zone)["Subnet"]["SubnetId"]
            for number, zone in enumerate(("usw2-az1", "usw2-az4"))
        ]
        trust = {"Effect": "Allow", "Action": "sts:AssumeRole", "Principal": {"Service": "eks.amazonaws.com"}}
        document = json.dumps({"Version": "2012-10-17", "Statement": [trust]})
        role = iam.create_role(RoleName="control-plane", AssumeRolePolicyDocument=document)["Role"]["Arn"]
        eks.create_cluster(
            name="trn",
            roleArn=role,
            resourcesVpcConfig={"subnetIds": subnets},
            accessConfig={"authenticationMode": "API", "bootstrapClusterCreatorAdminPermissions": False},
        )
        return eks

    return make


PRINCIPALS = (
    f"arn:aws:iam::{ACCOUNT}:role/admins",
    f"arn:aws:iam::{ACCOUNT}:role/aws-reserved/sso.amazonaws.com/AWSReservedSSO_Admin_0123456789abcdef",
    f"arn:aws:iam::{ACCOUNT}:user/ada",
    f"arn:aws:iam::{OTHER}:role/partners",
)


@pytest.mark.parametrize("arn", PRINCIPALS)
def test_an_entry_is_refused_until_its_principal_is_there(local_aws, eks, arn):
    with pytest.raises(ClientError) as error:
        eks.create_access_entry(clusterName="trn", principalArn=arn)
    assert error.value.response["Error"]["Code"] == "InvalidParameterException"
    assert error.value.response["Error"]["Message"] == "The specified principalArn is invalid: invalid principal."
    assert make_principals(local_aws.endpoint, REGION, [arn]) == [arn]
    assert eks.create_access_entry(clusterName="trn", principalArn=arn)["accessEntry"]["principalArn"] == arn


def test_a_principal_at_another_path_is_another_one(local_aws, eks):
    make_principals(local_aws.endpoint, REGION, [f"arn:aws:iam::{ACCOUNT}:role/here/moved"])
    with pytest.raises(ClientError, match="invalid principal"):
        eks.create_access_entry(clusterName="trn", principalArn=f"arn:aws:iam::{ACCOUNT}:role/moved")


def test_what_exists_or_is_no_principal_is_left_alone(local_aws):
    arn = f"arn:aws:iam::{ACCOUNT}:role/twice"
    named = [arn, arn, "arn:aws:iam::aws:policy/AdministratorAccess"]
    assert make_principals(local_aws.endpoint, REGION, named) == [arn]
    assert make_principals(local_aws.endpoint, REGION, [arn]) == []


def test_an_account_without_the_switch_takes_entries_for_anyone(local_aws, eks):
    local_aws.store.principals_must_exist = False
    arn = f"arn:aws:iam::{ACCOUNT}:role/nobody"
    assert eks.create_access_entry(clusterName="trn", principalArn=arn)["accessEntry"]["principalArn"] == arn
    local_aws.store.principals_must_exist = True
