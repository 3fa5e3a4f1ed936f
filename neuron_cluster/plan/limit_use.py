"""One limit of a service and how much of it an environment uses at its largest sizes."""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.config.source_map import KeyPath


class Use(Struct, frozen=True):
    """How much of the limit ``name`` is used, and by whom."""

    name: str
    path: KeyPath
    what: str
    used: int
    is_least: bool = False
    own_rule: bool = False


class LimitUse(Struct, frozen=True):
    """``name`` is the row of the catalog; ``used`` and ``limit`` are in ``unit``."""

    name: str
    path: KeyPath
    """The key of the file that the use comes from."""
    what: str
    """Whose use it is: ``the group trn2``, ``the VPC``."""
    unit: str
    used: int
    limit: int
    adjustable: bool
    """A service quota: the number is the default of an account."""
    advice: bool
    """More is not rejected."""
    is_least: bool
    """True: so much at least, because a number of an instance type is not known."""
    source: str
    doubt: str
    """What is not certain about the limit; empty when nothing is."""
    own_rule: bool
    """Another rule than those for all limits speaks of it."""

    @property
    def share(self) -> float:
        """1.0 where the limit is reached. A limit of 0 counts as 1, so that its share is a number too."""
        return self.used / max(self.limit, 1)

    @property
    def is_exceeded(self) -> bool:
        return self.used > self.limit
