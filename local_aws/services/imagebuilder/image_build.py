"""A build of an image ends at once with a copy of the parent image in each Region of the distribution."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from moto.core.utils import get_service_model

from local_aws.api_errors import api_error
from local_aws.clients import local_client, partition_of
from local_aws.clock import CLOCK
from local_aws.contract import Call
from local_aws.registry import operation
from local_aws.services.client_tokens import once_by_token
from local_aws.services.table import made_by

IMAGE = "AWS::ImageBuilder::Image"
PARAMETER = "ssm:"
BUILD_DATE = "{{ imagebuilder:buildDate }}"
"""Source: https://docs.aws.amazon.com/imagebuilder/latest/userguide/ami-distribution-settings.html"""


@made_by(IMAGE)
def build(call: Call, row: Mapping[str, Any]) -> Mapping[str, Any]:
    """The number of the build, and the AMIs that it has made."""
    slug = row["name"].lower().replace(" ", "-")
    prefix = f"arn:{partition_of(call.region)}:imagebuilder:{call.region}:{call.account}"
    version_arn = f"{prefix}:image/{slug}/{row['version']}"
    number = 1 + max((each["build"] for each in images(call) if each["imageVersionArn"] == version_arn), default=0)
    parent = parent_image(call, row["imageRecipe"]["parentImage"])
    amis = [_made(call, row, parent, each, f"{version_arn}/{number}") for each in _distributions(call, row)]
    return {"build": number, "imageVersionArn": version_arn, "outputResources": {"amis": amis}}


def images(call: Call) -> Iterator[dict[str, Any]]:
    """The rows of all images."""
    return iter(call.table("Image").values())


def parent_image(call: Call, name: str) -> str:
    """The AMI that a recipe starts from. Raises ServiceError for an image that is no AMI here."""
    if name.startswith("ami-"):
        return name
    if name.startswith(PARAMETER):
        parameter = name.removeprefix(PARAMETER)
        return str(call.client("ssm").get_parameter(Name=parameter)["Parameter"]["Value"])
    made = [each for each in images(call) if name in (each["arn"], each["imageVersionArn"], _any_version(each))]
    if not made:
        raise api_error("imagebuilder.parent_image_not_found", image=name)
    return str(made[-1]["outputResources"]["amis"][0]["image"])


def _any_version(image: Mapping[str, Any]) -> str:
    return f"{image['imageVersionArn'].rpartition('/')[0]}/x.x.x"


def _distributions(call: Call, row: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The own Region's first, whose AMI the others copy."""
    settings = row.get("distributionConfiguration", {}).get("distributions", [])
    own = [each for each in settings if each["region"] == call.region] or [{"region": call.region}]
    return own + [each for each in settings if each["region"] != call.region]


def _made(call: Call, row: Mapping[str, Any], parent: str, distribution: Mapping[str, Any], arn: str) -> dict[str, Any]:
    region, settings = distribution["region"], distribution.get("amiDistributionConfiguration", {})
    ec2 = local_client("ec2", call.endpoint, call.account, region)
    date = CLOCK.now().strftime("%Y-%m-%dT%H-%M-%S.%fZ")
    name = settings.get("name", f"{row['name']} {BUILD_DATE}").replace(BUILD_DATE, date)
    description = settings.get("description", "")
    ami = ec2.copy_image(Name=name, Description=description, SourceImageId=parent, SourceRegion=call.region)["ImageId"]
    tags = {
        **row["imageRecipe"].get("amiTags", {}),
        **settings.get("amiTags", {}),
        "CreatedBy": "EC2 Image Builder",
        "Ec2ImageBuilderArn": arn,
    }
    ec2.create_tags(Resources=[ami], Tags=[{"Key": key, "Value": value} for key, value in tags.items()])
    _announce(call, distribution, ami)
    made = {"region": region, "image": ami, "name": name, "description": description}
    return {**made, "state": {"status": "AVAILABLE"}, "accountId": call.account}


def _announce(call: Call, distribution: Mapping[str, Any], ami: str) -> None:
    """Writes the AMI into parameters and launch templates that the distribution names."""
    ec2, ssm = (local_client(each, call.endpoint, call.account, distribution["region"]) for each in ("ec2", "ssm"))
    for each in distribution.get("ssmParameterConfigurations", []):
        kind = each.get("dataType", "aws:ec2:image")
        ssm.put_parameter(Name=each["parameterName"], Value=ami, Type="String", DataType=kind, Overwrite=True)
    for each in distribution.get("launchTemplateConfigurations", []):
        template = each["launchTemplateId"]
        newest = ec2.describe_launch_template_versions(LaunchTemplateId=template, Versions=["$Latest"])
        data = {**newest["LaunchTemplateVersions"][0]["LaunchTemplateData"], "ImageId": ami}
        made = ec2.create_launch_template_version(LaunchTemplateId=template, LaunchTemplateData=data)
        version = made["LaunchTemplateVersion"]["VersionNumber"]
        if each.get("setDefaultVersion", True):
            ec2.modify_launch_template(LaunchTemplateId=template, DefaultVersion=str(version))


SERVICE = "imagebuilder"


@operation(SERVICE, "StartImagePipelineExecution")
@once_by_token
def start_image_pipeline_execution(call: Call) -> Mapping[str, Any]:
    """Builds an image as the pipeline says, with its image tags and those of the request."""
    client, arn = call.client(SERVICE), call.parameters["imagePipelineArn"]
    pipeline = client.get_image_pipeline(imagePipelineArn=arn)["imagePipeline"]
    members = get_service_model(SERVICE).operation_model("CreateImage").input_shape.members
    tags = {**pipeline.get("imageTags", {}), **call.parameters.get("tags", {})}
    image = client.create_image(**{name: pipeline[name] for name in members if name in pipeline} | {"tags": tags})
    image_arn = image["imageBuildVersionArn"]
    call.table("Image")[image_arn] |= {"sourcePipelineArn": arn, "sourcePipelineName": pipeline["name"]}
    call.table("ImagePipeline")[arn] |= {"dateLastRun": CLOCK.now(), "lastRunStatus": "AVAILABLE"}
    return {"imageBuildVersionArn": image_arn}
