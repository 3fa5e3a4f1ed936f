"""AMIs that nodes start from and no service chooses, as a table and as data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from neuron_cluster.config.source_map import format_path
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.node_image import NodeImage
from neuron_cluster.report.plain_data import plain
from neuron_cluster.table import Table

NOT_BUILT = "not built yet"
COLUMNS = ("AMI", "named by", "built from", "has", "instances of")


def node_image_tables(images: Sequence[NodeImage], plan: ClusterPlan) -> list[Table]:
    """None without such AMIs."""
    note = "The software of an AMI of the file is what it must have: only its owner knows what it was built from."
    is_of_file = any(not each.is_locked and each.image_id is not None for each in images)
    rows = tuple(map(_row, images))
    return [Table(f"{plan.name}: AMIs", COLUMNS, rows, note if is_of_file else "")] if rows else []


def node_images_as_data(images: Sequence[NodeImage]) -> list[dict[str, Any]]:
    """Returns the document of ``--format json``; key paths are spelled as findings spell them."""
    return [{**plain(each), "path": format_path(each.path)} for each in images]


def _row(image: NodeImage) -> tuple[str, ...]:
    named_by = "the lock" if image.is_locked else format_path(image.path)
    return (
        image.image_id or NOT_BUILT,
        named_by if image.image_id is not None else "-",
        f"{image.parent_kind}, {image.parent}" if image.parent is not None else image.parent_kind,
        ", ".join(f"{name} {version}" for name, version in image.software.items()),
        ", ".join(image.groups),
    )
