"""POSIX users of teams on Slurm nodes: one for each team, the same on every node and for the life of its files."""

from __future__ import annotations

import hashlib

PREFIX = "team-"
"""No user of an AMI is called so."""
LONGEST_NAME = 32
"""Characters of a user. Source: useradd(8) of shadow-utils."""
FIRST_ID, LAST_ID = 20_000, 59_999
"""Ids above the first users of an AMI, and up to ``UID_MAX`` of login.defs(5)."""


def posix_name(team: str) -> str:
    """The user and group of a team."""
    return f"{PREFIX}{team}"


def posix_id(team: str) -> int:
    """The id of both, which follows only from the name: no other team that is added or removed changes it.

    Two teams may have the same one, which rule E2124 rejects.
    """
    digest = hashlib.sha256(team.encode()).digest()
    return FIRST_ID + int.from_bytes(digest, "big") % (LAST_ID + 1 - FIRST_ID)
