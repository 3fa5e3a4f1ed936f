"""AWS::FSx::FileSystem, for Lustre."""

from __future__ import annotations

import contextlib
from typing import Any

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.handlers.fsx_tags import change_fsx_tags
from local_aws.handlers.service_resource import ServiceResource, present
from local_aws.handlers.shapes import call
from local_aws.handlers.tags import desired_tags, tag_list, tag_map

UPDATABLE = ("FileSystemTypeVersion", "NetworkType", "StorageCapacity", "StorageType")
LUSTRE_DEFAULTS = {
    "AutomaticBackupRetentionDays": 0,
    "DataCompressionType": "NONE",
    "LogConfiguration": {"Level": "DISABLED"},
}
"""What a setting goes back to when it is taken away; the others stay."""
TOLD_BY_SERVICE = ("MountName",)


class FileSystem(ServiceResource):
    """A change of what FSx cannot update, such as DeploymentType, is refused by its model."""

    service = "fsx"
    type_name = "AWS::FSx::FileSystem"
    supported = frozenset(
        {"FileSystemType", "KmsKeyId", "LustreConfiguration", "SecurityGroupIds", "SubnetIds", "Tags", *UPDATABLE}
    )

    def make(self, context: ResourceContext, properties: Properties, undo: contextlib.ExitStack) -> str:
        tags = tag_list(desired_tags(context, properties))
        parameters = {**properties, "Tags": tags} if tags else properties
        answer = call(self.client(context), "CreateFileSystem", parameters)
        physical_id: str = answer["FileSystem"]["FileSystemId"]
        undo.callback(self.remove, context, physical_id, properties)
        return physical_id

    def change(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        request = {name: new[name] for name in UPDATABLE if name in new and new[name] != old.get(name)}
        old_lustre, new_lustre = old.get("LustreConfiguration", {}), new.get("LustreConfiguration", {})
        lustre = {name: value for name, value in new_lustre.items() if value != old_lustre.get(name)}
        gone = set(old_lustre) - set(new_lustre)
        lustre |= {name: default for name, default in LUSTRE_DEFAULTS.items() if name in gone}
        if lustre:
            request["LustreConfiguration"] = lustre
        if request:
            call(self.client(context), "UpdateFileSystem", {"FileSystemId": physical_id, **request})
        row = self._row(context, physical_id)
        change_fsx_tags(self.client(context), row, desired_tags(context, new))

    def remove(self, context: ResourceContext, physical_id: str, properties: Properties) -> None:  # noqa: ARG002 - the id is enough
        self.client(context).delete_file_system(FileSystemId=physical_id)

    def describe(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        """FSx tells no security groups: its interfaces carry them."""
        row = self._row(context, physical_id)
        interfaces = context.client("ec2").describe_network_interfaces(NetworkInterfaceIds=row["NetworkInterfaceIds"])
        groups = [group["GroupId"] for group in interfaces["NetworkInterfaces"][0]["Groups"]]
        lustre = {name: value for name, value in row["LustreConfiguration"].items() if name not in TOLD_BY_SERVICE}
        return {
            **present(row, *self.supported),
            "LustreConfiguration": lustre,
            "SecurityGroupIds": groups,
            "Tags": tag_list(tag_map(row["Tags"])),
        }

    def attributes(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        row = self._row(context, physical_id)
        mount_name = row["LustreConfiguration"]["MountName"]
        return {"Id": physical_id, "LustreMountName": mount_name, **present(row, "DNSName", "ResourceARN")}

    def _row(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        answer = self.client(context).describe_file_systems(FileSystemIds=[physical_id])
        row: dict[str, Any] = answer["FileSystems"][0]
        return row
