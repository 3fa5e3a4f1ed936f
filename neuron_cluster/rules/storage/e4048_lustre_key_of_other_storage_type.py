from __future__ import annotations

from neuron_cluster.config.lustre import LustreDeployment, LustreStorageType
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations

OF_SSD = ("capacity_gib", "throughput_mbps_per_tib", "metadata", "data_compression", "sync")
OF_TIERING = ("throughput_mbps", "metadata_iops", "read_cache_gib")


class LustreKeyOfOtherStorageType(Rule):
    """The keys of an FSx for Lustre file system are those of its storage class (`storage.lustre.storage_type`).

    A file system of Intelligent-Tiering is of PERSISTENT_2, and has no capacity, no throughput per TiB and no data
    repository association; no source states that it compresses data. One on SSD has no throughput of its own.

    Without this check FSx rejects the file system with BadRequest, and the storage stack rolls back.
    """

    id = "E4048"
    source = (
        "https://docs.aws.amazon.com/fsx/latest/LustreGuide/fsx-data-repositories.html; "
        "boto/botocore 1.44.5: fsx CreateFileSystemLustreConfiguration"
    )
    proposes = ("deployment_type", "storage_type")

    def check(self, context: RuleContext) -> Violations:
        storage = context.environment.config.storage
        lustre = storage.lustre if storage is not None else None
        if lustre is None:
            return
        is_tiering = lustre.storage_type is LustreStorageType.INTELLIGENT_TIERING
        kind, other = (each.value for each in (lustre.storage_type, _other(lustre.storage_type)))
        for key in OF_SSD if is_tiering else OF_TIERING:
            if key in lustre.model_fields_set and getattr(lustre, key) is not None:
                yield Violation(
                    ("storage", "lustre", key),
                    f"a file system of {kind} has no {key}",
                    f"remove {key}, or set storage_type: {other}",
                )
        if is_tiering and lustre.deployment_type is not LustreDeployment.PERSISTENT_2:
            yield Violation(
                ("storage", "lustre", "deployment_type"),
                f"deployment_type is {lustre.deployment_type.value}, and {kind} is of persistent_2 only",
                "set deployment_type: persistent_2",
            )


def _other(kind: LustreStorageType) -> LustreStorageType:
    return next(each for each in LustreStorageType if each is not kind)
