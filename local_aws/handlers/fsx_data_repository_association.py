"""AWS::FSx::DataRepositoryAssociation."""

from __future__ import annotations

import contextlib
from typing import Any

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.handlers.fsx_tags import change_fsx_tags
from local_aws.handlers.service_resource import ServiceResource, present
from local_aws.handlers.shapes import call
from local_aws.handlers.tags import tag_list, tag_map, wanted_tags

POLICIES = ("AutoImportPolicy", "AutoExportPolicy")
OFF: dict[str, Any] = {"Events": []}


class DataRepositoryAssociation(ServiceResource):
    service = "fsx"
    type_name = "AWS::FSx::DataRepositoryAssociation"
    carried = frozenset(
        {
            "BatchImportMetaDataOnCreate",
            "DataRepositoryPath",
            "FileSystemId",
            "FileSystemPath",
            "ImportedFileChunkSize",
            "S3",
            "Tags",
        }
    )

    def make(self, context: ResourceContext, properties: Properties, undo: contextlib.ExitStack) -> str:
        tags = tag_list(wanted_tags(context, properties))
        parameters = {**properties, "Tags": tags} if tags else properties
        answer = call(self.client(context), "CreateDataRepositoryAssociation", parameters)
        physical_id: str = answer["Association"]["AssociationId"]
        undo.callback(self.remove, context, physical_id, properties)
        return physical_id

    def change(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        """A policy that is not wanted any more is turned off."""
        request: dict[str, Any] = {}
        if new.get("S3") != old.get("S3"):
            off = {name: OFF for name in POLICIES if name in old.get("S3", {})}
            request["S3"] = {**off, **new.get("S3", {})}
        if "ImportedFileChunkSize" in new and new["ImportedFileChunkSize"] != old.get("ImportedFileChunkSize"):
            request["ImportedFileChunkSize"] = new["ImportedFileChunkSize"]
        client = self.client(context)
        if request:
            call(client, "UpdateDataRepositoryAssociation", {"AssociationId": physical_id, **request})
        change_fsx_tags(client, self._row(context, physical_id), wanted_tags(context, new))

    def remove(self, context: ResourceContext, physical_id: str, properties: Properties) -> None:  # noqa: ARG002 - the id is enough
        """The files that are in the file system stay there."""
        self.client(context).delete_data_repository_association(AssociationId=physical_id)

    def describe(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        row = self._row(context, physical_id)
        return {**present(row, *self.carried), "Tags": tag_list(tag_map(row["Tags"]))}

    def attributes(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        return present(self._row(context, physical_id), "AssociationId", "ResourceARN")

    def _row(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        answer = self.client(context).describe_data_repository_associations(AssociationIds=[physical_id])
        row: dict[str, Any] = answer["Associations"][0]
        return row
