"""AWS::FSx::FileSystem, for Lustre: an update has those settings alone that differ."""

from __future__ import annotations

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.handlers.generic import GenericHandler

LUSTRE = "LustreConfiguration"
LUSTRE_DEFAULTS = {
    "AutomaticBackupRetentionDays": 0,
    "DataCompressionType": "NONE",
    "LogConfiguration": {"Level": "DISABLED"},
}
"""Values of settings after they are removed; the others stay."""
ONLY_RAISED = ("StorageCapacity", "FileSystemTypeVersion")
"""FSx rejects the value that a file system has already, as in a rollback of an update that it has rejected."""


class FileSystem(GenericHandler):
    type_name = "AWS::FSx::FileSystem"

    def change(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        row = self.row(context, physical_id)
        in_force = {name: new[name] for name in ONLY_RAISED if name in new and str(new[name]) == str(row[name])}
        before, after = old.get(LUSTRE, {}), new.get(LUSTRE, {})
        changed = {name: value for name, value in after.items() if value != before.get(name)}
        changed |= {name: value for name, value in LUSTRE_DEFAULTS.items() if name in before and name not in after}
        super().change(context, physical_id, {**old, **in_force}, {**new, LUSTRE: changed or old.get(LUSTRE)})
