from __future__ import annotations

from neuron_cluster.config.lustre import LustreStorageType
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations

OF_OWNER = ("data_compression", "metadata")


class ExistingLustreNotDescribed(Rule):
    """The file has the capacity of a file system that exists, and sets nothing on it (`storage.lustre.existing`).

    The plan computes checkpoints with the capacity and throughput of the file; `deploy` compares both with FSx.
    Compression and metadata configuration are its owner's.

    Without this check the plan would choose a capacity for a file system that has one.
    """

    id = "E4099"
    source = "the design of this toolkit: nothing is set on a file system that exists"
    proposes = ("capacity_gib",)

    def check(self, context: RuleContext) -> Violations:
        storage = context.environment.config.storage
        lustre = storage.lustre if storage is not None else None
        if lustre is None or lustre.existing is None:
            return
        path, name = ("storage", "lustre"), lustre.existing.file_system_id
        if lustre.capacity_gib is None and lustre.storage_type is LustreStorageType.SSD:
            yield Violation(
                path,
                f"lustre has existing and no capacity_gib, so the capacity of {name} is not known",
                f"add capacity_gib: `aws fsx describe-file-systems --file-system-ids {name}` returns StorageCapacity",
            )
        for key in OF_OWNER:
            if key in lustre.model_fields_set:
                yield Violation(
                    (*path, key),
                    f"lustre has existing and {key}, which a deploy does not set on {name}",
                    f"remove {key}",
                )
