"""Rows of ``workstations``: the instances are disposable, and their homes are not here."""

from __future__ import annotations

from neuron_cluster.config.change_row import ChangeRow, FieldEffect

MACHINES = "workstations[]"
REPLACED = (
    "The instance is replaced: a new one starts, the old one is terminated, and the home moves over. What was outside "
    "the home is gone, sessions break."
)
IN_CAPACITY = f"{REPLACED} The new instance starts first: the reservation or block needs free capacity for both."

WORKSTATION_ROWS = (
    ChangeRow(
        "workstations",
        FieldEffect.DISPOSABLE,
        "Instances are added or removed; a home stays, whatever happens to its instance. With the last one their stack "
        "is deleted (W9504).",
    ),
    ChangeRow(
        f"{MACHINES}.name",
        FieldEffect.DISPOSABLE,
        "An instance of the new name is created, the old one is terminated; a home moves.",
    ),
    ChangeRow(f"{MACHINES}.instance_type", FieldEffect.DISPOSABLE, REPLACED),
    ChangeRow(f"{MACHINES}.capacity", FieldEffect.DISPOSABLE, IN_CAPACITY),
    ChangeRow(f"{MACHINES}.capacity.kind", FieldEffect.DISPOSABLE, IN_CAPACITY),
    ChangeRow(f"{MACHINES}.capacity.match", FieldEffect.DISPOSABLE, IN_CAPACITY),
    ChangeRow(f"{MACHINES}.capacity.reservation_id", FieldEffect.DISPOSABLE, IN_CAPACITY),
    ChangeRow(f"{MACHINES}.capacity.resource_group", FieldEffect.DISPOSABLE, IN_CAPACITY),
    ChangeRow(f"{MACHINES}.capacity.starts", FieldEffect.NONE, "Nothing: `validate` and `plan` compare it with a day."),
    ChangeRow(f"{MACHINES}.capacity.ends", FieldEffect.NONE, "Nothing: `validate` and `plan` compare it with a day."),
    ChangeRow(f"{MACHINES}.availability_zone", FieldEffect.DISPOSABLE, REPLACED),
    ChangeRow(f"{MACHINES}.dlami", FieldEffect.DISPOSABLE, REPLACED),
    ChangeRow(f"{MACHINES}.ami_id", FieldEffect.DISPOSABLE, REPLACED),
    ChangeRow(f"{MACHINES}.ami_owner", FieldEffect.NONE, "Only `deploy` reads it, to check the owner of ami_id."),
    ChangeRow(f"{MACHINES}.virtual_environment", FieldEffect.DISPOSABLE, REPLACED),
    ChangeRow(f"{MACHINES}.root_volume", FieldEffect.DISPOSABLE, REPLACED),
    ChangeRow(f"{MACHINES}.root_volume.size_gib", FieldEffect.DISPOSABLE, REPLACED),
    ChangeRow(f"{MACHINES}.root_volume.iops", FieldEffect.DISPOSABLE, REPLACED),
    ChangeRow(f"{MACHINES}.root_volume.throughput_mibps", FieldEffect.DISPOSABLE, REPLACED),
    ChangeRow(
        f"{MACHINES}.home",
        FieldEffect.DISPOSABLE,
        "The instance is replaced by one with the other home; neither home loses a file.",
    ),
    ChangeRow(
        f"{MACHINES}.efs",
        FieldEffect.IN_PLACE,
        "Access points are mounted within a quarter of an hour on an instance that runs, at its next start on a "
        "stopped one. One that is taken out is unmounted; the last one stays until `umount` and an edit of "
        "/etc/fstab.",
    ),
    ChangeRow(
        f"{MACHINES}.lustre",
        FieldEffect.IN_PLACE,
        "The file system is mounted within a quarter of an hour on an instance that runs, at its next start on a "
        "stopped one. Before you remove the key, unmount it on the instance (docs/workstations.md): its security group "
        "no longer reaches the file system when no workstation mounts it, and access to the files hangs.",
    ),
    ChangeRow(
        f"{MACHINES}.idle_stop_minutes",
        FieldEffect.DISPOSABLE,
        "In place, within a quarter of an hour on an instance that runs, at its next start on a stopped one. To or "
        "from 0 the instance is replaced by a new one, and the home moves over; 10080, a week, is in place.",
        depends=True,
    ),
    ChangeRow(f"{MACHINES}.team", FieldEffect.IN_PLACE, "A tag of the instance."),
)
