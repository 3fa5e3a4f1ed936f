"""How work reaches the groups that run it."""

from __future__ import annotations

from msgspec import Struct


class WorkPath(Struct, frozen=True, kw_only=True):
    """Work that teams send to groups, or groups to other ones."""

    text: str
    """The work: ``jobs, by queue training``."""
    teams: tuple[str, ...] = ()
    """Names of those that send it."""
    from_groups: tuple[str, ...] = ()
    """Names of groups that send it; none where teams do."""
    groups: tuple[str, ...]
    """Names of the groups that it is sent to."""
