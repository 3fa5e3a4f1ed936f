"""Rows of ``storage.efs``: the file system is kept; access points hold no data."""

from __future__ import annotations

from neuron_cluster.changes.rows.storage_removal import REMOVE
from neuron_cluster.config.change_row import ChangeRow, FieldEffect

MOVE_ACCESS_POINT = (
    "Add a second access point with the new values and deploy, name it where the old one is named (`claims` of a "
    "namespace) and deploy, then remove the old one and deploy. No file is lost on either side."
)

EFS_ROWS = (
    ChangeRow(
        "storage.efs",
        FieldEffect.STATE,
        "Adding it adds a file system, its mount targets and a security group. Removing it would leave the file system "
        "behind, billed and in no file.",
        REMOVE,
        depends=True,
    ),
    ChangeRow(
        "storage.efs.throughput",
        FieldEffect.IN_PLACE,
        "The mode changes while the file system is used; EFS rejects some changes within 24 hours of another.",
    ),
    ChangeRow("storage.efs.backup", FieldEffect.IN_PLACE, "Backups that exist stay until they expire."),
    ChangeRow(
        "storage.efs.access_points",
        FieldEffect.PUBLISHED,
        "Adding an access point adds it. Removing one keeps its folder and files; what mounts it loses them, and it is "
        "not removed while a cluster's volume uses it.",
        MOVE_ACCESS_POINT,
        depends=True,
    ),
    *(
        ChangeRow(
            f"storage.efs.access_points[].{field}",
            FieldEffect.PUBLISHED,
            "The access point is replaced, which holds no data: files stay. It is not replaced while a cluster's "
            "volume uses it.",
            MOVE_ACCESS_POINT,
            depends=True,
        )
        for field in ("name", "path", "uid", "gid", "mode")
    ),
)
