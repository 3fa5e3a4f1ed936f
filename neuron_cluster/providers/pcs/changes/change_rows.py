"""Rows of the change table: what an edit of each key of ``slurm`` does."""

from __future__ import annotations

from msgspec.structs import replace

from neuron_cluster.changes.rows.machine import machine_rows
from neuron_cluster.config.change_row import ChangeRow, FieldEffect
from neuron_cluster.findings.commands import Command

GROUPS, QUEUES, LOGIN = "slurm.groups[]", "slurm.queues[]", "slurm.login"
ROLL = "A new version of the launch template; PCS replaces each node when its jobs end."
LOGIN_ROLL = "A new version of the launch template; PCS replaces the login nodes, which ends sessions on them."
AGAIN = f"First `{Command.DESTROY}`, which keeps storage and network; then deploy the edited file."
LARGER = "Without `slurm.size`, a sum of maxima above the size of the cluster would replace the cluster."
OTHER_SIZE = (
    f"The group is scaled; nodes above a lower maximum are removed, and their jobs wait in the queue again. {LARGER}"
)
OTHER_LOGIN_SIZE = f"The group is scaled; sessions end on nodes above a lower maximum. {LARGER}"
BOTH = "PCS counts both until then (E9066)."
LOGIN_REPLACED = f"The group is replaced: a new one is created, then the old one and its nodes are deleted. {BOTH}"


def _machine_rows(place: str, roll: str) -> tuple[ChangeRow, ...]:
    """Returns the rows of every machine, with what PCS does differently."""
    own = {
        "instance_type": "The group is replaced: a new one is created and queues change to it, then the old one and "
        f"its nodes are deleted. {BOTH}",
        "count.min": "PCS keeps so many instances without jobs.",
        "count.desired": "The same as min, the only value that is allowed.",
        "availability_zone": "Nodes start in the other zone.",
        "capacity": "Another purchase option for nodes that start from now on; the placement group may be deleted.",
        "capacity.kind": "Another purchase option for nodes that start from now on; the placement group may be "
        "deleted.",
        "placement": f"The placement group is created or deleted. {roll}",
        "efa": f"Other interfaces, and the placement group may be created or deleted. {roll}",
    }
    rolled = {
        "capacity.match", "capacity.reservation_id", "capacity.resource_group", "logical_nc_config", "local_disks",
        "root_volume", "root_volume.size_gib", "root_volume.iops", "root_volume.throughput_mibps",
    }  # fmt: skip
    if place == LOGIN:
        own["instance_type"] = LOGIN_REPLACED
    rows = []
    for row in machine_rows(place):
        field = row.path.removeprefix(f"{place}.")
        what = own.get(field, roll if field in rolled else row.what)
        size = field in ("count", "count.max")
        scaled = OTHER_LOGIN_SIZE if place == LOGIN else OTHER_SIZE
        rows.append(
            replace(row, what=scaled, effect=FieldEffect.PUBLISHED, steps=AGAIN, depends=True)
            if size
            else replace(row, what=what)
        )
    return tuple(rows)


SLURM_ROWS = (
    ChangeRow(
        "slurm",
        FieldEffect.PUBLISHED,
        "Adding it adds the stacks of the cluster. Removing it would leave the cluster running, in no file.",
        f"First `{Command.DESTROY}`, which keeps storage and network; then deploy the file without `slurm`.",
        depends=True,
    ),
    ChangeRow(
        "slurm.version",
        FieldEffect.PUBLISHED,
        "The controller is updated in place, up only and by three major versions at most (E9063); it needs an AMI with "
        "the version. PCS replaces each node when its jobs end, and the login nodes, which ends sessions on them.",
        "To go down, build a second environment under another name.",
        depends=True,
    ),
    ChangeRow("slurm.dlami", FieldEffect.IN_PLACE, f"The root device may have another name. {ROLL}"),
    ChangeRow(
        "slurm.ami_id",
        FieldEffect.IN_PLACE,
        "PCS replaces each node when its jobs end, and the login nodes, which ends sessions on them.",
    ),
    ChangeRow(
        "slurm.size",
        FieldEffect.PUBLISHED,
        "The cluster would be replaced with its jobs and accounting records: PCS fixes the size at creation.",
        AGAIN,
        depends=True,
    ),
    ChangeRow(
        "slurm.accounting",
        FieldEffect.IN_PLACE,
        "PCS creates the database of accounting; what happens to its records when it is turned off is not documented "
        "(W9064).",
    ),
    ChangeRow("slurm.idle_minutes", FieldEffect.IN_PLACE, "The controller ends idle nodes earlier or later."),
    ChangeRow("slurm.settings", FieldEffect.IN_PLACE, "The controller gets the settings; jobs that run continue."),
    ChangeRow(LOGIN, FieldEffect.PUBLISHED, f"The login group changes; see its fields. {LARGER}", AGAIN, depends=True),
    *_machine_rows(LOGIN, LOGIN_ROLL),
    ChangeRow(
        "slurm.groups",
        FieldEffect.PUBLISHED,
        f"A group is created, or deleted with its nodes and their jobs. {LARGER}",
        AGAIN,
        depends=True,
    ),
    ChangeRow(
        f"{GROUPS}.name", FieldEffect.DISPOSABLE, f"A group of the new name is created; the old one is deleted. {BOTH}"
    ),
    *_machine_rows(GROUPS, ROLL),
    ChangeRow(f"{GROUPS}.team", FieldEffect.IN_PLACE, f"A tag of instances. {ROLL}"),
    ChangeRow(f"{GROUPS}.settings", FieldEffect.IN_PLACE, "PCS replaces each node when its jobs end."),
    ChangeRow("slurm.queues", FieldEffect.DISPOSABLE, "A queue is created, or deleted with the jobs that wait in it."),
    ChangeRow(
        f"{QUEUES}.name",
        FieldEffect.DISPOSABLE,
        "A queue of the new name is created; the old one is deleted with the jobs that wait in it.",
    ),
    ChangeRow(f"{QUEUES}.groups", FieldEffect.IN_PLACE, "Jobs of the queue start on nodes of these groups."),
    ChangeRow(f"{QUEUES}.default", FieldEffect.IN_PLACE, "Jobs without --partition go to the other queue."),
    ChangeRow(f"{QUEUES}.whole_nodes", FieldEffect.IN_PLACE, "Holds for jobs that start from now on."),
    ChangeRow(f"{QUEUES}.settings", FieldEffect.IN_PLACE, "The controller gets the settings; jobs that run continue."),
)
