"""A node group gets the AMI release that the public parameter recommends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from botocore.exceptions import ClientError

from local_aws.clients import local_client
from local_aws.server import LocalAws
from local_aws.services.seed_data import seed_data
from neuron_cluster.catalog.catalog import load_catalog
from tests.every_run import in_every_run

pytestmark = pytest.mark.slow
CATALOG = load_catalog()
VERSIONS = [row.name for row in CATALOG.kubernetes_versions]


@pytest.fixture(scope="module")
def client() -> Iterator[Callable[[str], Any]]:
    with LocalAws() as aws:
        yield lambda service: local_client(service, aws.endpoint, "640000000000", "us-west-2")


@pytest.fixture
def ground(client: Callable[[str], Any], make_ground: Callable[..., Any]) -> Any:
    return make_ground(client)


@pytest.mark.parametrize("version", in_every_run(VERSIONS, [VERSIONS[0], VERSIONS[-1]]))
def test_create_and_describe_tell_the_recommended_release(
    client: Callable[[str], Any], ground: Any, version: str
) -> None:
    eks, name = client("eks"), f"v{version.replace('.', '-')}"
    eks.create_cluster(
        name=name,
        version=version,
        roleArn=ground.cluster_role,
        resourcesVpcConfig={"subnetIds": ground.subnets},
        accessConfig={"authenticationMode": "API"},
    )
    eks.create_addon(clusterName=name, addonName="vpc-cni")
    for row in CATALOG.ami_types:
        if row.name not in {*seed_data("eks_images")["images"], *seed_data("bottlerocket_images")["images"]}:
            continue
        group = {"clusterName": name, "nodegroupName": row.name.lower().replace("_", "-")}
        created = eks.create_nodegroup(
            **group, subnets=ground.subnets[1:], nodeRole=ground.node_role, amiType=row.name
        )["nodegroup"]
        parameter = (
            row.release_version_parameter(version)
            if row.release_version_parameter_pattern
            else row.ssm_parameter(version).replace("/image_id", "/image_version")
        )
        reported = client("ssm").get_parameter(Name=parameter)["Parameter"]["Value"]
        assert created["releaseVersion"] == reported
        assert eks.describe_nodegroup(**group)["nodegroup"]["releaseVersion"] == reported


def test_a_release_of_another_kubernetes_version_is_refused_where_releases_name_one(
    client: Callable[[str], Any], ground: Any
) -> None:
    eks = client("eks")
    eks.create_cluster(
        name="releases",
        version="1.35",
        roleArn=ground.cluster_role,
        resourcesVpcConfig={"subnetIds": ground.subnets},
        accessConfig={"authenticationMode": "API"},
    )
    eks.create_addon(clusterName="releases", addonName="vpc-cni")
    common = {"clusterName": "releases", "subnets": ground.subnets[1:], "nodeRole": ground.node_role}
    with pytest.raises(ClientError, match=r"is not valid for kubernetes version 1\.35"):
        eks.create_nodegroup(
            **common, nodegroupName="a", amiType="AL2023_x86_64_STANDARD", releaseVersion="1.34.9-20260714"
        )
    made = eks.create_nodegroup(
        **common, nodegroupName="b", amiType="BOTTLEROCKET_x86_64", releaseVersion="1.57.0-12345678"
    )
    assert made["nodegroup"]["releaseVersion"] == "1.57.0-12345678"
