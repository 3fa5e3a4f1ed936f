"""EFS decisions: a mount target in each zone, four octal digits."""

from __future__ import annotations

from collections.abc import Sequence

from neuron_cluster.config.efs import Efs
from neuron_cluster.plan.efs_plan import AccessPointPlan, EfsPlan

PATH = ("storage", "efs")


def build_efs(spec: Efs, zone_ids: Sequence[str]) -> EfsPlan:
    """``zone_ids`` are those of the network."""
    access_points = tuple(
        AccessPointPlan(
            (*PATH, "access_points", position), each.name, each.path, each.uid, each.gid, each.mode.zfill(4)
        )
        for position, each in enumerate(spec.access_points)
    )
    return EfsPlan(PATH, spec.throughput.value, spec.backup, tuple(zone_ids), access_points)
