"""The most that Kueue admits for a team: its quota, and the devices that it may borrow."""

from __future__ import annotations

import pytest

from neuron_cluster.plan.team import Team, TeamQuota
from neuron_cluster.plan.team_share import TeamShare, team_share


def _team(name: str, devices: int, borrow: int | None = None, lend: int | None = None) -> Team:
    return Team(name, quota=(TeamQuota((), "trn1", devices, borrow, lend),))


@pytest.mark.parametrize(
    ("borrow", "lend", "total", "expected"),
    [
        (0, None, 256, TeamShare(32, 0)),
        (16, None, 256, TeamShare(32, 16)),
        (None, None, 256, TeamShare(32, 224)),
        (None, 8, 256, TeamShare(32, 168)),
        # Half of the nodes run: half of each amount.
        (16, 8, 128, TeamShare(16, 8)),
        (None, None, 0, TeamShare(0, 0)),
    ],
)
def test_a_team_borrows_what_its_limit_and_the_others_allow(
    borrow: int | None, lend: int | None, total: int, expected: TeamShare
) -> None:
    teams = (_team("research", 32, borrow), _team("product", 64, lend=lend))
    assert team_share(teams[0], teams, "trn1", total=total, devices_at_maximum=256) == expected


def test_a_team_without_a_quota_borrows_what_is_idle() -> None:
    guests = Team("guests")
    assert team_share(guests, (guests, _team("product", 64)), "trn1", total=256, devices_at_maximum=256) == TeamShare(
        0, 256
    )
    assert team_share(guests, (guests,), "inf2", total=0, devices_at_maximum=0).most == 0
