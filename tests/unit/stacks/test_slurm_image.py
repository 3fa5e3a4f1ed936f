"""The pipeline that builds the AMI of Slurm nodes: its parent, where it builds, with which rights."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from tests.slurm_image import PARENT, image_app

Templates = Mapping[str, dict[str, Any]]


@pytest.fixture(scope="module")
def templates(cdk: Any, tmp_path_factory: pytest.TempPathFactory) -> Templates:
    """Returns the templates by part."""
    folder, outdir = tmp_path_factory.mktemp("environment"), tmp_path_factory.mktemp("assembly")
    image_app(cdk, folder, outdir).synth()
    return {
        path.name.split("-")[-1].partition(".")[0]: json.loads(path.read_text())
        for path in outdir.glob("*.template.json")
    }


def of_type(templates: Templates, resource_type: str) -> list[dict[str, Any]]:
    resources = templates["image"]["Resources"].values()
    return [dict(each["Properties"]) for each in resources if each["Type"] == resource_type]


def test_the_network_is_that_of_the_environment(templates: Templates, templates_of: Any) -> None:
    assert set(templates) == {"network", "image"}
    assert templates["network"] == templates_of("slurm-trn1")["network"]


def test_the_recipe_starts_from_the_ami_of_the_lock_and_runs_every_component(templates: Templates) -> None:
    (recipe,) = of_type(templates, "AWS::ImageBuilder::ImageRecipe")
    assert recipe["ParentImage"] == PARENT
    ids = [each["ComponentArn"]["Fn::GetAtt"][0] for each in recipe["Components"]]
    found = {k for k, v in templates["image"]["Resources"].items() if v["Type"] == "AWS::ImageBuilder::Component"}
    assert set(ids) == found
    assert [i.removeprefix("Component") for i in ids][::7] == ["prepare", "tests"]
    (mapping,) = recipe["BlockDeviceMappings"]
    assert mapping["DeviceName"] == "/dev/sda1"
    assert mapping["Ebs"] == {"DeleteOnTermination": True, "Encrypted": True, "VolumeType": "gp3"}
    assert set(recipe) - {"Tags"} == {"BlockDeviceMappings", "Components", "Name", "ParentImage", "Version"}, (
        "in the version"
    )


def test_a_build_has_no_way_in_and_needs_tokens_of_the_metadata_service(templates: Templates) -> None:
    (where,) = of_type(templates, "AWS::ImageBuilder::InfrastructureConfiguration")
    assert where["InstanceMetadataOptions"] == {"HttpTokens": "required", "HttpPutResponseHopLimit": 1}
    assert where["InstanceTypes"] == ["m7i.xlarge"], "that of the login group, which runs the AMI"
    assert "Private" in where["SubnetId"]["Fn::ImportValue"]
    assert where["TerminateInstanceOnFailure"] is True
    assert "KeyPair" not in where
    (group,) = of_type(templates, "AWS::EC2::SecurityGroup")
    assert "SecurityGroupIngress" not in group
    assert of_type(templates, "AWS::EC2::SecurityGroupIngress") == []
    (packages,) = of_type(templates, "AWS::EC2::SecurityGroupEgress")
    assert {packages["ToPort"], *(each["ToPort"] for each in group["SecurityGroupEgress"])} == {80, 443}


def test_the_role_of_a_build_reads_its_components_and_writes_its_logs(templates: Templates) -> None:
    (role,) = of_type(templates, "AWS::IAM::Role")
    assert "ManagedPolicyArns" not in role
    statements = [each for policy in role["Policies"] for each in policy["PolicyDocument"]["Statement"]]
    rights = {action: each["Resource"] for each in statements for action in _listed(each["Action"])}
    own = "arn:aws:imagebuilder:us-west-2:111122223333:component/slurm-trn1-slurm-*"
    assert rights["imagebuilder:GetComponent"] == own
    group = "arn:aws:logs:us-west-2:111122223333:log-group:/aws/imagebuilder/slurm-trn1-slurm"
    assert rights["logs:PutLogEvents"] == [group, f"{group}:*"]
    assert rights["logs:CreateLogGroup"] == rights["logs:PutLogEvents"], "without it no output may be streamed"
    assert all("ec2imagebuilder" in each for each in rights["s3:GetObject"])
    assert {action.partition(":")[0] for action, each in rights.items() if each == "*"} == {
        "ssmmessages",
        "ec2messages",
    }
    assert not any("*" in action for action in rights)


def test_amis_are_found_by_the_tag_of_the_environment(templates: Templates) -> None:
    (distribution,) = of_type(templates, "AWS::ImageBuilder::DistributionConfiguration")
    (here,) = distribution["Distributions"]
    assert here["Region"] == "us-west-2"
    assert here["AmiDistributionConfiguration"]["AmiTags"]["neuron-cluster:environment"] == "slurm-trn1"
    assert "{{ imagebuilder:buildDate }}" in here["AmiDistributionConfiguration"]["Name"]


def test_the_pipeline_runs_only_when_it_is_started_and_tests_the_ami(templates: Templates) -> None:
    (pipeline,) = of_type(templates, "AWS::ImageBuilder::ImagePipeline")
    assert "Schedule" not in pipeline
    assert pipeline["ImageTestsConfiguration"]["ImageTestsEnabled"] is True
    (group,) = of_type(templates, "AWS::Logs::LogGroup")
    assert group["LogGroupName"] == f"/aws/imagebuilder/{pipeline['Name']}"


def _listed(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else value
