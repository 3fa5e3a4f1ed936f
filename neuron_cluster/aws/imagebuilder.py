"""Images of EC2 Image Builder: builds of a pipeline."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client

ENDED = frozenset({"AVAILABLE", "FAILED", "CANCELLED", "DEPRECATED", "DELETED", "DISABLED"})
"""Source: botocore 1.44.5, imagebuilder ImageStatus; the others are of a build that runs."""


class ImageBuild(Struct, frozen=True):
    """One build. ``image_id`` is the AMI in the Region of the target; empty while there is none."""

    arn: str
    version: str
    """Version of the recipe."""
    status: str
    reason: str
    image_id: str

    @property
    def is_running(self) -> bool:
        return self.status not in ENDED

    @property
    def is_available(self) -> bool:
        return self.status == "AVAILABLE" and bool(self.image_id)


def pipeline_builds(target: Target, pipeline_arn: str) -> list[ImageBuild]:
    """All builds of a pipeline, the newest first. Raises ``ToolkitError`` when AWS does not answer."""
    with translated():
        pages = client(target, "imagebuilder").get_paginator("list_image_pipeline_images")
        rows = [row for page in pages.paginate(imagePipelineArn=pipeline_arn) for row in page["imageSummaryList"]]
    return [_build(row, target.region) for row in sorted(rows, key=lambda row: str(row["dateCreated"]), reverse=True)]


def start_build(target: Target, pipeline_arn: str) -> str:
    """ARN of the build that starts. Raises ``ToolkitError`` when AWS rejects it."""
    with translated():
        started = client(target, "imagebuilder").start_image_pipeline_execution(imagePipelineArn=pipeline_arn)
    return str(started["imageBuildVersionArn"])


def image_build(target: Target, arn: str) -> ImageBuild:
    """Raises ``ToolkitError`` when AWS does not answer, or has no such build."""
    with translated():
        row = client(target, "imagebuilder").get_image(imageBuildVersionArn=arn)["image"]
    return _build(row, target.region)


def _build(row: dict[str, Any], region: str) -> ImageBuild:
    amis = row.get("outputResources", {}).get("amis", [])
    state = row.get("state", {})
    return ImageBuild(
        arn=row["arn"],
        version=str(row["version"]).partition("/")[0],
        status=state.get("status", "PENDING"),
        reason=state.get("reason", ""),
        image_id=next((each["image"] for each in amis if each.get("region") == region and each.get("image")), ""),
    )
