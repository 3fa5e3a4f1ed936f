"""The amount of one node group that Kueue admits for a team: its quota, and what it may borrow of the others."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from neuron_cluster.plan.team import Team, scaled_quota


class TeamShare(Struct, frozen=True):
    """Amounts of one resource, such as Neuron devices. ``borrowed`` is the most while all other teams leave theirs
    idle."""

    quota: int
    borrowed: int

    @property
    def most(self) -> int:
        """Beyond it Kueue admits no job."""
        return self.quota + self.borrowed


def team_share(
    team: Team | None,
    teams: Sequence[Team],
    group: str,
    *,
    total: int,
    devices_at_maximum: int,
    lends_rest: bool = True,
) -> TeamShare:
    """The share of ``total``, the amount that the running nodes of the group have. None: that of the queue's own
    namespaces, which have what no team has.

    ``devices_at_maximum`` are the Neuron devices of the group at ``count.max``, which the quotas of the file count.
    ``lends_rest``: teams may borrow what no team has. Each share is rounded down, as in the ClusterQueues.
    """

    def fraction(devices: int) -> int:
        return scaled_quota(total, devices, devices_at_maximum)

    quotas = {each.name: each.quota_of(group) for each in teams}
    nominal = {name: fraction(quota.devices) if quota is not None else 0 for name, quota in quotas.items()}
    lent = [
        min(nominal[name], nominal[name] if quota is None or quota.lend is None else fraction(quota.lend))
        for name, quota in quotas.items()
        if team is None or name != team.name
    ]
    rest = max(0, total - sum(nominal.values()))
    if team is None:
        return TeamShare(rest, sum(lent))
    idle = (rest if lends_rest else 0) + sum(lent)
    own = quotas.get(team.name)
    limit = idle if own is None or own.borrow is None else fraction(own.borrow)
    return TeamShare(nominal.get(team.name, 0), min(idle, limit))
