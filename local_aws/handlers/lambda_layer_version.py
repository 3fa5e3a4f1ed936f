"""AWS::Lambda::LayerVersion."""

from __future__ import annotations

import contextlib
from typing import Any

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.handlers.names import generated_name
from local_aws.handlers.service_resource import ServiceResource, present
from local_aws.handlers.shapes import call

NAME_LIMIT = 140


class LayerVersion(ServiceResource):
    """The physical id is the ARN of the version; every change of a property is another version."""

    service = "lambda"
    type_name = "AWS::Lambda::LayerVersion"
    published = frozenset({"CompatibleArchitectures", "CompatibleRuntimes", "Content", "Description", "LicenseInfo"})
    carried = published | {"LayerName"}
    required = frozenset({"Content"})

    def make(self, context: ResourceContext, properties: Properties, undo: contextlib.ExitStack) -> str:  # noqa: ARG002 - one call
        name = properties.get("LayerName") or generated_name(context, NAME_LIMIT)
        parameters = {**present(properties, *self.published), "LayerName": name}
        arn: str = call(self.client(context), "PublishLayerVersion", parameters)["LayerVersionArn"]
        return arn

    def change(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        """All properties are create-only and it has no tags."""

    def remove(self, context: ResourceContext, physical_id: str, properties: Properties) -> None:  # noqa: ARG002 - the ARN is enough
        layer, _, version = physical_id.rpartition(":")
        self.client(context).delete_layer_version(LayerName=layer, VersionNumber=int(version))

    def describe(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        layer, _, version = physical_id.rpartition(":")
        answer = self.client(context).get_layer_version(LayerName=layer, VersionNumber=int(version))
        name = layer.rpartition(":")[2]
        content = present({"Content": answer["Content"].get("ResolvedS3Object")}, "Content")
        return {**present(answer, *(self.published - {"Content"})), **content, "LayerName": name}

    def attributes(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:  # noqa: ARG002 - its ARN is all
        return {"LayerVersionArn": physical_id}
