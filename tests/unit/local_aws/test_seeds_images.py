"""Every image that a public parameter names exists in EC2, in every Region that the catalog has."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import ClientError

from local_aws.clients import local_client, moto_backend
from local_aws.server import LocalAws
from local_aws.services.seed_data import seed_data
from neuron_cluster.catalog.catalog import load_catalog

pytestmark = pytest.mark.slow
CATALOG = load_catalog()
ACCOUNT, REGION = "610000000000", "us-west-2"
ECS = "/aws/service/ecs/optimized-ami"
VERSIONS = [row.name for row in CATALOG.kubernetes_versions]
AMAZON_LINUX = sorted(seed_data("eks_images")["images"])
BOTTLEROCKET = sorted(seed_data("bottlerocket_images")["images"])
WITHOUT_IMAGE = {"CUSTOM", "AL2_x86_64", "AL2_ARM_64", "AL2_x86_64_GPU"}
"""An image of one's own, and retired types. Windows has none either: Neuron does not run on it."""
FURTHER = pytest.mark.exhaustive
FEW_REGIONS = {
    CATALOG.regions.rows[0].name,
    CATALOG.regions.rows[-1].name,
    *(region for row in CATALOG.dlamis for region in row.regions_without_parameter[:1]),
}
"""The first, the last, and for each Neuron DLAMI one that lacks it."""
Clients = Callable[[str], Any]
EKS_IMAGES = [
    pytest.param(kind, version, marks=() if version == VERSIONS[-1] or kind == AMAZON_LINUX[0] else FURTHER)
    for kind in AMAZON_LINUX
    for version in VERSIONS
]
REGIONS = [pytest.param(row.name, marks=() if row.name in FEW_REGIONS else FURTHER) for row in CATALOG.regions]


@pytest.fixture(scope="module")
def client(local_aws: LocalAws) -> Clients:
    return lambda service: local_client(service, local_aws.endpoint, ACCOUNT, REGION)


def parameters_in(ssm: Any, path: str) -> dict[str, str]:
    pages = ssm.get_paginator("get_parameters_by_path").paginate(Path=path, Recursive=True)
    return {row["Name"]: row["Value"] for page in pages for row in page["Parameters"]}


def test_every_type_of_the_catalog_has_an_image_or_a_reason() -> None:
    """A new type, or a new Kubernetes version without a release, is noticed here."""
    known = {row.name for row in CATALOG.ami_types}
    windows = {name for name in known if name.startswith("WINDOWS_")}
    assert known == {*AMAZON_LINUX, *BOTTLEROCKET, *WITHOUT_IMAGE, *windows}
    assert set(CATALOG.ami_releases.rows[0].kubernetes_patches) == set(VERSIONS)


@pytest.mark.parametrize(("kind", "version"), EKS_IMAGES)
def test_an_eks_image_is_recommended_in_four_parameters(client: Clients, version: str, kind: str) -> None:
    row = CATALOG.ami_types.get(kind)
    assert row is not None
    folder = row.ssm_parameter(version).removesuffix("/image_id")
    reported = {name.removeprefix(folder): value for name, value in parameters_in(client("ssm"), folder).items()}
    assert set(reported) == {"/image_id", "/image_name", "/release_version"}
    (whole,) = client("ssm").get_parameters(Names=[folder])["Parameters"]
    assert json.loads(whole["Value"]) == {
        "schema_version": "2",
        **{name.removeprefix("/"): value for name, value in reported.items()},
    }
    (image,) = client("ec2").describe_images(ImageIds=[reported["/image_id"]])["Images"]
    assert image["Name"] == reported["/image_name"]
    assert f"-{version}-v" in image["Name"]
    assert reported["/release_version"].startswith(f"{version}.")
    assert reported["/release_version"].endswith(image["Name"].rpartition("-v")[2])
    assert (image["OwnerId"], image["ImageOwnerAlias"], image["Public"]) == ("602401143452", "amazon", True)
    assert image["RootDeviceName"] == row.root_device_name
    assert f"/{image['Architecture']}/" in folder
    (root,) = image["BlockDeviceMappings"]
    assert (root["Ebs"]["VolumeSize"], root["Ebs"]["VolumeType"]) == (row.root_volume_minimum_gib, "gp3")


@pytest.mark.parametrize("kind", BOTTLEROCKET)
def test_a_bottlerocket_image_stands_beside_its_version(client: Clients, kind: str) -> None:
    row = CATALOG.ami_types.get(kind)
    assert row is not None
    for version in VERSIONS:
        id_parameter = row.ssm_parameter(version)
        reported = parameters_in(client("ssm"), id_parameter.removesuffix("/image_id"))
        assert set(reported) == {id_parameter, id_parameter.replace("/image_id", "/image_version")}
        (image,) = client("ec2").describe_images(ImageIds=[reported[id_parameter]])["Images"]
        assert image["Name"].endswith(f"-v{reported[id_parameter.replace('/image_id', '/image_version')]}")
        assert f"/{image['Architecture']}/" in id_parameter


def test_the_folder_of_a_version_lists_every_type(client: Clients) -> None:
    found = parameters_in(client("ssm"), f"/aws/service/eks/optimized-ami/{VERSIONS[-1]}")
    assert len(found) == 4 * len(AMAZON_LINUX)


@pytest.mark.parametrize("region", REGIONS)
def test_every_named_image_exists_in_every_region(local_aws: LocalAws, region: str) -> None:
    """Images of EKS and the Neuron DLAMIs, and those that ECS recommends today, the Neuron one included."""
    ssm, ec2 = (moto_backend(service, ACCOUNT, region) for service in ("ssm", "ec2"))
    kinds = [row for row in CATALOG.ami_types if row.name in {*AMAZON_LINUX, *BOTTLEROCKET}]
    named = [row.ssm_parameter(version) for row in kinds for version in VERSIONS]
    named += [row.ssm_parameter for row in CATALOG.dlamis if region not in row.regions_without_parameter]
    named += [f"{ECS}/amazon-linux-2023/{line}recommended/image_id" for line in ("", "arm64/", "gpu/", "neuron/")]
    named += [f"{row.ssm_prefix}/recommended/image_id" for row in CATALOG.ecs_amis]
    ids = {name: ssm.get_parameter(name).value for name in named}
    found = {image.id: image for image in ec2.describe_images(ami_ids=list(ids.values()))}
    assert [name for name, image_id in ids.items() if image_id not in found] == []
    assert {image.owner_alias for image in found.values()} == {"amazon"}
    assert ACCOUNT not in {image.owner_id for image in found.values()}


def test_ids_are_the_same_in_every_run_and_different_in_every_region(local_aws: LocalAws) -> None:
    name = CATALOG.ami_types.rows[0].ssm_parameter(VERSIONS[-1])
    ids = [
        local_client("ssm", local_aws.endpoint, account, region).get_parameter(Name=name)["Parameter"]["Value"]
        for account, region in ((ACCOUNT, REGION), ("620000000000", REGION), (ACCOUNT, "us-east-2"))
    ]
    assert ids[0] == ids[1] == "ami-0a941084f490f11cf"
    assert ids[2] != ids[0]


def test_what_ecs_recommends_is_json(client: Clients) -> None:
    value = client("ssm").get_parameter(Name=f"{ECS}/amazon-linux-2023/neuron/recommended")["Parameter"]["Value"]
    row = json.loads(value)
    (image,) = client("ec2").describe_images(ImageIds=[row["image_id"]])["Images"]
    assert image["Name"] == row["image_name"]
    assert "ecs-neuron" in image["Name"]


def test_an_image_is_found_by_its_id_among_all_or_by_a_pattern(local_aws: LocalAws, client: Clients) -> None:
    """Each asked by an account that has asked nothing before."""
    name = f"{ECS}/amazon-linux-2023/neuron/recommended/image_id"
    image_id = client("ssm").get_parameter(Name=name)["Parameter"]["Value"]
    values = (image_id, f"{image_id[:-3]}*")
    questions = [{"ImageIds": [image_id]}, {}, *({"Filters": [{"Name": "image-id", "Values": [v]}]} for v in values)]
    for number, question in enumerate(questions, start=630000000000):
        ec2 = local_client("ec2", local_aws.endpoint, str(number), REGION)
        assert image_id in {row["ImageId"] for row in ec2.describe_images(**question)["Images"]}, question


def test_images_are_found_by_owner_and_name(client: Clients) -> None:
    """Karpenter and eksctl look for node images in this way."""
    names = [{"Name": "name", "Values": ["amazon-eks-node-al2023-x86_64-neuron-*"]}]
    images = client("ec2").describe_images(Owners=["amazon"], Filters=names)["Images"]
    newest = [image for image in images if image["Name"].endswith(next(iter(CATALOG.ami_releases.names)))]
    assert len(newest) == len(VERSIONS)
    assert len(images) > len(newest)  # earlier releases, which no parameter names
    assert client("ec2").describe_images(Owners=["self"])["Images"] == []


def test_public_parameters_are_nobodys(client: Clients) -> None:
    """No account in their ARN; neither among the account's own nor under the root; nobody writes there."""
    ssm = client("ssm")
    name = CATALOG.dlamis.rows[0].ssm_parameter
    for each in (name, f"{ECS}/amazon-linux-2023/recommended/image_id"):
        assert ssm.get_parameter(Name=each)["Parameter"]["ARN"] == f"arn:aws:ssm:{REGION}::parameter{each}"
    ssm.put_parameter(Name="/mine", Value="1", Type="String")
    assert [row["Name"] for row in ssm.describe_parameters()["Parameters"]] == ["/mine"]
    assert list(parameters_in(ssm, "/")) == ["/mine"]
    with pytest.raises(ClientError, match="can't be prefixed with"):
        ssm.put_parameter(Name=name, Value="ami-1", Type="String", Overwrite=True)


def test_a_folder_above_several_has_what_is_in_them(client: Clients) -> None:
    """One page: there are thousands of ECS images."""
    found = client("ssm").get_parameters_by_path(Path="/aws/service/ecs", Recursive=True)
    assert {row["Name"].startswith(f"{ECS}/") for row in found["Parameters"]} == {True}
    assert "NextToken" in found
