from __future__ import annotations

from neuron_cluster.config.efs import AccessPoint
from neuron_cluster.config.source_map import format_path
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations

PATH = ("storage", "efs", "access_points")


class AccessPointFolderWithTwoOwners(Rule):
    """EFS access points of one folder have the same owner and permissions (`uid`, `gid`, `mode`).

    EFS creates the folder at the first mount, with the values of the access point that is mounted first, and never
    changes it.

    Without this check AWS reports no error, and clients of the other access point get "Permission denied".
    """

    id = "W4061"
    source = "https://docs.aws.amazon.com/efs/latest/ug/enforce-root-directory-access-point.html"
    proposes = ("uid", "gid", "mode")

    def check(self, context: RuleContext) -> Violations:
        storage = context.environment.config.storage
        points = storage.efs.access_points if storage is not None and storage.efs is not None else []
        first: dict[str, int] = {}
        for position, point in enumerate(points):
            other = first.setdefault(point.path, position)
            if _created_as(points[other]) != _created_as(point):
                uid, gid, mode = _created_as(points[other])
                yield Violation(
                    (*PATH, position),
                    f"{point.path} is the folder of {format_path((*PATH, other))} too, which creates it as "
                    f"{uid}:{gid} with mode {mode}",
                    f"set uid: {uid}, gid: {gid} and mode: {mode}, or another path",
                    related=((*PATH, other),),
                )


def _created_as(point: AccessPoint) -> tuple[int, int, str]:
    return point.uid, point.gid, point.mode.zfill(len("0770"))
