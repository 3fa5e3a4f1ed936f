"""Builds of Image Builder: AMIs that EC2 describes, and what a build announces."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

Refused = Callable[..., tuple[str, str]]
PARAMETER = "/aws/service/neuron/dlami/base/ubuntu-24.04/latest/image_id"


@pytest.fixture
def builder(client: Callable[[str], Any]) -> Any:
    return client("imagebuilder")


@pytest.fixture
def parent(client: Callable[[str], Any]) -> str:
    return str(client("ssm").get_parameter(Name=PARAMETER)["Parameter"]["Value"])


@pytest.fixture
def pipeline(builder: Any, client: Callable[[str], Any], parent: str) -> Iterator[dict[str, str]]:
    """ARNs of a pipeline and its parts, and the launch template that gets its AMI."""
    ec2 = client("ec2")
    data = {"ImageId": parent, "InstanceType": "m7i.large"}
    template = ec2.create_launch_template(LaunchTemplateName="nodes", LaunchTemplateData=data)["LaunchTemplate"]
    distribution = {
        "region": "us-west-2",
        "amiDistributionConfiguration": {"name": "slurm {{ imagebuilder:buildDate }}", "amiTags": {"team": "a"}},
        "ssmParameterConfigurations": [{"parameterName": "/slurm/ami"}],
        "launchTemplateConfigurations": [{"launchTemplateId": template["LaunchTemplateId"]}],
    }
    named = {"name": "slurm", "semanticVersion": "1.0.0"}
    arns = {
        "imageRecipeArn": builder.create_image_recipe(**named, parentImage=parent)["imageRecipeArn"],
        "infrastructureConfigurationArn": builder.create_infrastructure_configuration(
            name="slurm", instanceProfileName="builder"
        )["infrastructureConfigurationArn"],
        "distributionConfigurationArn": builder.create_distribution_configuration(
            name="slurm", distributions=[distribution, {"region": "us-east-1"}]
        )["distributionConfigurationArn"],
    }
    pipeline = builder.create_image_pipeline(name="slurm", imageTags={"sdk": "2.30"}, **arns)["imagePipelineArn"]
    yield {**arns, "imagePipelineArn": pipeline, "template": template["LaunchTemplateId"]}
    ec2.delete_launch_template(LaunchTemplateId=template["LaunchTemplateId"])


def test_each_run_of_a_pipeline_makes_amis(
    builder: Any, client: Callable[[str], Any], pipeline: dict[str, str]
) -> None:
    arn = pipeline["imagePipelineArn"]
    first, second = (builder.start_image_pipeline_execution(imagePipelineArn=arn) for _ in range(2))
    assert first["imageBuildVersionArn"].endswith(":image/slurm/1.0.0/1")
    assert second["imageBuildVersionArn"].endswith(":image/slurm/1.0.0/2")
    runs = builder.list_image_pipeline_images(imagePipelineArn=arn)["imageSummaryList"]
    assert [run["tags"] for run in runs] == [{"sdk": "2.30"}] * 2
    here, there = runs[1]["outputResources"]["amis"]
    assert (here["region"], there["region"]) == ("us-west-2", "us-east-1")
    (ami,) = client("ec2").describe_images(ImageIds=[here["image"]])["Images"]
    assert ami["Name"].startswith("slurm 20")
    assert {"Key": "team", "Value": "a"} in ami["Tags"]
    assert client("ssm").get_parameter(Name="/slurm/ami")["Parameter"]["Value"] == here["image"]
    versions = client("ec2").describe_launch_template_versions(
        LaunchTemplateId=pipeline["template"], Versions=["$Default"]
    )["LaunchTemplateVersions"]
    assert [each["LaunchTemplateData"] for each in versions] == [
        {"ImageId": here["image"], "InstanceType": "m7i.large"}
    ]
    assert builder.get_image_pipeline(imagePipelineArn=arn)["imagePipeline"]["lastRunStatus"] == "AVAILABLE"


def test_an_image_is_the_parent_of_another(builder: Any, pipeline: dict[str, str]) -> None:
    builder.start_image_pipeline_execution(imagePipelineArn=pipeline["imagePipelineArn"])
    image = pipeline["imageRecipeArn"].replace(":image-recipe/", ":image/").replace("1.0.0", "x.x.x")
    recipe = builder.create_image_recipe(name="next", semanticVersion="1.0.0", parentImage=image)["imageRecipeArn"]
    parts = {"infrastructureConfigurationArn": pipeline["infrastructureConfigurationArn"]}
    assert builder.create_image(imageRecipeArn=recipe, **parts)["imageBuildVersionArn"].endswith(":image/next/1.0.0/1")


def test_what_is_refused(builder: Any, refused: Refused, pipeline: dict[str, str]) -> None:
    named = {"name": "neuron", "semanticVersion": "1.0.0"}
    missing = [{"componentArn": "arn:aws:imagebuilder:us-west-2:300000000000:component/none/1.0.0"}]
    code, message = refused(builder.create_image_recipe, **named, parentImage="ami-1", components=missing)
    assert (code, "component/none/1.0.0 does not exist" in message) == ("InvalidRequestException", True)
    assert (
        refused(builder.create_image_recipe, **named, parentImage="ami-1", dryRun=True)[0] == "DryRunOperationException"
    )
    amazon = [{"componentArn": "arn:aws:imagebuilder:us-west-2:aws:component/update-linux/x.x.x"}]
    managed = "arn:aws:imagebuilder:us-west-2:aws:image/ubuntu-server-24-lts-x86/x.x.x"
    recipe = builder.create_image_recipe(**named, parentImage=managed, components=amazon)["imageRecipeArn"]
    parts = {"infrastructureConfigurationArn": pipeline["infrastructureConfigurationArn"]}
    code, message = refused(builder.create_image, imageRecipeArn=recipe, **parts)
    assert (code, managed in message) == ("NotImplemented", True)
    container = recipe.replace("image-recipe", "container-recipe")
    assert refused(builder.create_image, containerRecipeArn=container, **parts)[0] == "NotImplemented"
    shared = {"region": "us-west-2", "amiDistributionConfiguration": {"targetAccountIds": ["111122223333"]}}
    code, message = refused(builder.create_distribution_configuration, name="other", distributions=[shared])
    assert (code, message.endswith("other accounts']")) == ("NotImplemented", True)
