"""Times of CloudFormation by resource type: ranges that sources have, and no others."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest
from msgspec.structs import replace

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.resource_duration import ResourceDuration, SecondsRange

GOLDENS = Path(__file__).parents[2] / "golden"
DURATIONS = load_catalog().durations
NO_FIGURE = {
    "AWS::Backup::BackupPlan",
    "AWS::Backup::BackupSelection",
    "AWS::CloudWatch::Dashboard",
    "AWS::EC2::FlowLog",
    "AWS::EC2::InternetGateway",
    "AWS::EC2::PlacementGroup",
    "AWS::EC2::Route",
    "AWS::EC2::RouteTable",
    "AWS::EC2::SecurityGroup",
    "AWS::EC2::VPCGatewayAttachment",
    "AWS::EC2::Volume",
    "AWS::ECR::PullThroughCacheRule",
    "AWS::ECR::RepositoryCreationTemplate",
    "AWS::EKS::PodIdentityAssociation",
    "AWS::IAM::ManagedPolicy",
    "AWS::KMS::Alias",
    "AWS::Lambda::LayerVersion",
    "AWS::Logs::Delivery",
    "AWS::Logs::DeliveryDestination",
    "AWS::Logs::DeliverySource",
    "AWS::S3::BucketPolicy",
    "AWS::S3Express::BucketPolicy",
    "AWS::S3Express::DirectoryBucket",
    "AWS::S3Files::AccessPoint",
    "AWS::S3Files::FileSystem",
    "AWS::S3Files::MountTarget",
    "AWS::SSM::Association",
    "AWS::SSM::Parameter",
    "AWS::SageMaker::ClusterSchedulerConfig",
    "AWS::SageMaker::ComputeQuota",
    "Custom::AWSCDK-EKS-HelmChart",
    "Custom::AWSCDK-EKS-KubernetesPatch",
    "Custom::AWSCDK-EKS-KubernetesResource",
    "Custom::NeuronClusterLifeCycleScript",
    "Custom::NeuronClusterLogGroup",
}
"""Types of the goldens that no source has a figure for; a row for one of them needs a source."""


EMPTY = ResourceDuration(name="AWS::EC2::VPC", source="s", checked_on=date(2026, 11, 28))


def emitted() -> set[str]:
    templates = (json.loads(file.read_text(encoding="utf-8")) for file in GOLDENS.glob("*/*.template.json"))
    return {each["Type"] for template in templates for each in template["Resources"].values()}


def test_every_row_is_of_a_type_that_environments_have_and_the_others_are_known() -> None:
    types = emitted()
    assert set(DURATIONS.names) <= types
    assert types - set(DURATIONS.names) == NO_FIGURE


def test_the_range_of_a_type_is_the_one_of_its_sources() -> None:
    cluster = DURATIONS["AWS::EKS::Cluster"]
    assert (cluster.create, cluster.doubt_about("create")) == (SecondsRange(low=513, high=840), None)
    assert DURATIONS["AWS::EKS::Nodegroup"].doubt_about("create") is not None
    assert DURATIONS["AWS::EC2::NatGateway"].delete is None


@pytest.mark.parametrize(
    ("times", "wrong"),
    [
        ({"create": SecondsRange(low=1, high=2)}, []),
        ({"delete": SecondsRange(low=2, high=1)}, ["delete"]),
        ({"update": SecondsRange(low=-1, high=1)}, ["update"]),
        ({}, ["create"]),
    ],
)
def test_a_row_has_a_figure_and_every_range_ascends(times: dict[str, SecondsRange], wrong: list[str]) -> None:
    assert [field for field, _ in replace(EMPTY, **times).contradictions()] == wrong
