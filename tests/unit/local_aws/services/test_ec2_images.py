"""Neuron Deep Learning AMIs are where AWS publishes them, and a launch takes the newest by the parameter's name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import ClientError

from local_aws.clients import local_client
from local_aws.server import LocalAws
from neuron_cluster.catalog.catalog import load_catalog

Clients = Callable[[str], Any]
ROWS = load_catalog().dlamis.rows


def test_every_kind_has_a_parameter_with_the_id_of_its_image(client: Clients) -> None:
    pages = client("ssm").get_paginator("get_parameters_by_path").paginate(Path="/aws/service/neuron", Recursive=True)
    found = [parameter for page in pages for parameter in page["Parameters"]]
    assert {parameter["Name"] for parameter in found} == {row.ssm_parameter for row in ROWS}
    images = client("ec2").describe_images(ImageIds=[parameter["Value"] for parameter in found])["Images"]
    assert len(images) == len(ROWS)
    by_title = {row.title: row for row in ROWS}
    for image in images:
        row = by_title[image["Name"].rpartition(" ")[0]]
        assert (image["RootDeviceName"], image["Architecture"]) == (row.root_device_name, "x86_64")
        assert image["ImageOwnerAlias"] == "amazon"


def test_an_image_has_another_id_in_each_region(client: Clients, local_aws: LocalAws, account: str) -> None:
    name = ROWS[0].ssm_parameter
    here = client("ssm").get_parameter(Name=name)["Parameter"]["Value"]
    there = local_client("ssm", local_aws.endpoint, account, "us-east-2").get_parameter(Name=name)["Parameter"]["Value"]
    assert here != there


def test_a_region_without_the_parameters_has_none(local_aws: LocalAws, account: str) -> None:
    ssm = local_client("ssm", local_aws.endpoint, account, "ap-south-2")
    with pytest.raises(ClientError, match="ParameterNotFound"):
        ssm.get_parameter(Name=ROWS[0].ssm_parameter)


def test_a_launch_by_parameter_starts_the_image_that_it_names(client: Clients) -> None:
    row = ROWS[0]
    newest = client("ssm").get_parameter(Name=row.ssm_parameter)["Parameter"]["Value"]
    data = {"ImageId": f"resolve:ssm:{row.ssm_parameter}", "InstanceType": "inf2.xlarge", "UserData": "aGVsbG8="}
    ec2 = client("ec2")
    vpc = ec2.create_vpc(CidrBlock="10.0.0.0/16")["Vpc"]["VpcId"]
    subnet = ec2.create_subnet(VpcId=vpc, CidrBlock="10.0.0.0/24")["Subnet"]["SubnetId"]
    template = ec2.create_launch_template(LaunchTemplateName="box", LaunchTemplateData=data)
    named = {"LaunchTemplateId": template["LaunchTemplate"]["LaunchTemplateId"]}
    (machine,) = ec2.run_instances(LaunchTemplate=named, SubnetId=subnet, MinCount=1, MaxCount=1)["Instances"]
    assert machine["ImageId"] == newest
    attribute = ec2.describe_instance_attribute(InstanceId=machine["InstanceId"], Attribute="userData")
    assert attribute["UserData"]["Value"] == "aGVsbG8="


def test_a_launch_by_a_parameter_that_is_not_there_is_refused(client: Clients) -> None:
    with pytest.raises(ClientError, match="InvalidParameterValue"):
        client("ec2").run_instances(ImageId="resolve:ssm:/nothing", InstanceType="inf2.xlarge", MinCount=1, MaxCount=1)
