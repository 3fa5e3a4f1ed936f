from __future__ import annotations

from neuron_cluster.config.lustre import Lustre, LustreStorageType
from neuron_cluster.config.storage import Storage
from neuron_cluster.resolved.checkpoints import chosen_file_system
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class LustreCapacityNotDecided(Rule):
    """The capacity of a file system is given, or follows from the checkpoints (`storage.lustre.capacity_gib`).

    Without capacity_gib the plan chooses the cheapest file system that takes `storage.checkpoints`, of which it needs
    the size and the nodes that save.

    Without this check there would be no size to create a file system with.
    """

    id = "E4023"
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/using-fsx-lustre.html"
    proposes = ("checkpoints",)

    def check(self, context: RuleContext) -> Violations:
        environment = context.environment
        storage = environment.config.storage
        lustre = storage.lustre if storage is not None else None
        if (
            storage is None
            or lustre is None
            or lustre.capacity_gib is not None
            or chosen_file_system(environment, context.catalog)
        ):
            return
        if lustre.storage_type is LustreStorageType.INTELLIGENT_TIERING:
            return
        message, hint = _reason(storage, lustre)
        yield Violation(("storage", "lustre"), message, hint)


def _reason(storage: Storage, lustre: Lustre) -> tuple[str, str]:
    if storage.checkpoints is None:
        hint = "write capacity_gib, or describe the training in storage.checkpoints"
        return "neither capacity_gib nor checkpoints is set", hint
    tier = lustre.throughput_mbps_per_tib
    kind = f"{lustre.deployment_type.value} file system" + (f" of {tier} MB/s per TiB" if tier is not None else "")
    hint = "write capacity_gib, or see the other findings of storage.checkpoints"
    return f"capacity_gib is not set, and no {kind} can be chosen for checkpoints", hint
