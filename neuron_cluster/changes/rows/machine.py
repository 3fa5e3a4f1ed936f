"""Rows of the block that every place with Neuron instances shares."""

from __future__ import annotations

from neuron_cluster.config.change_row import ChangeRow, FieldEffect

ROLLED = "a new version of the launch template; the group's nodes are replaced one by one"
ROLL = f"{ROLLED[0].upper()}{ROLLED[1:]}."


OTHER_TYPE = (
    "The group is replaced: a new one is made, then the old one drained. From a type with Neuron devices to one "
    "without, or back, it would move to another stack: blocked, add a group of another name first (E9021)."
)


def machine_rows(place: str) -> tuple[ChangeRow, ...]:
    """The rows for the instances at ``place``."""
    rows = (
        (
            "instance_type",
            FieldEffect.DISPOSABLE,
            OTHER_TYPE,
        ),
        ("count", FieldEffect.IN_PLACE, "The group is scaled."),
        ("count.min", FieldEffect.IN_PLACE, "The group is scaled."),
        (
            "count.desired",
            FieldEffect.IN_PLACE,
            (
                "The group is scaled to this number, also after an autoscaler changed it; before that its queue gets "
                "the quota of as many nodes. A lower quota does not stop running jobs; they end with their nodes."
            ),
        ),
        ("count.max", FieldEffect.IN_PLACE, "The group is scaled."),
        (
            "capacity",
            FieldEffect.DISPOSABLE,
            "Another kind replaces the group or adds a launch template version; the placement group may be deleted.",
        ),
        (
            "capacity.kind",
            FieldEffect.DISPOSABLE,
            "The group is replaced, or its launch template gets a new version; the placement group may be deleted.",
        ),
        ("capacity.match", FieldEffect.IN_PLACE, ROLL),
        ("capacity.reservation_id", FieldEffect.IN_PLACE, ROLL),
        ("capacity.resource_group", FieldEffect.IN_PLACE, ROLL),
        ("capacity.ultraserver", FieldEffect.NONE, "Nothing: `validate` compares it with the instance type."),
        ("capacity.starts", FieldEffect.NONE, "Nothing: `validate` and `plan` compare it with a day."),
        ("capacity.ends", FieldEffect.NONE, "Nothing: `validate` and `plan` compare it with a day."),
        ("availability_zone", FieldEffect.DISPOSABLE, "The group is replaced by one in the other zone."),
        ("placement", FieldEffect.DISPOSABLE, f"The placement group is created or deleted: {ROLLED}."),
        (
            "efa",
            FieldEffect.DISPOSABLE,
            f"Other interfaces, and the placement group may be created or deleted: {ROLLED}.",
        ),
        ("logical_nc_config", FieldEffect.IN_PLACE, ROLL),
        ("local_disks", FieldEffect.IN_PLACE, ROLL),
        ("root_volume", FieldEffect.IN_PLACE, ROLL),
        ("root_volume.size_gib", FieldEffect.IN_PLACE, ROLL),
        ("root_volume.iops", FieldEffect.IN_PLACE, ROLL),
        ("root_volume.throughput_mibps", FieldEffect.IN_PLACE, ROLL),
    )
    return tuple(ChangeRow(f"{place}.{field}", effect, what) for field, effect, what in rows)
