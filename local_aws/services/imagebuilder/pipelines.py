"""Runs of image pipelines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from moto.core.utils import get_service_model

from local_aws.clock import CLOCK
from local_aws.service import Call, operation

SERVICE = "imagebuilder"


@operation(SERVICE, "StartImagePipelineExecution")
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
