"""The time of this local AWS: that of the machine, unless a test or a person sets it.

Capacity blocks and reservations, training plans, what EKS does to a group before its block ends, the interfaces of
deleted functions, schedules and the time in which signals have to come go by it. Signatures and the events of stacks
keep the machine's time, which clients compare with their own.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta


class Clock:
    """May be put forward and set; it goes on from there."""

    def __init__(self) -> None:
        self.ahead = timedelta()
        """How far it is from the machine's time."""
        self.listeners: list[Callable[[datetime, datetime], None]] = []
        """Called with the former time and the new one when it is put forward or set."""

    def now(self) -> datetime:
        return datetime.now(UTC) + self.ahead

    def advance(self, by: timedelta) -> None:
        """Puts the clock forward."""
        self._move(self.ahead + by)

    def set(self, moment: datetime) -> None:
        """Raises ``ValueError`` for a moment without a time zone."""
        if moment.tzinfo is None:
            raise ValueError(f"{moment} has no time zone")
        self._move(moment - datetime.now(UTC))

    def _move(self, ahead: timedelta) -> None:
        before, self.ahead = self.now(), ahead
        for listener in self.listeners:
            listener(before, self.now())

    def reset(self) -> None:
        """The machine's time."""
        self.ahead = timedelta()


class Delays:
    """Delays of AWS that are none here, unless they are set."""

    lambda_interfaces = timedelta()
    """How long the interfaces of a function in a VPC outlive it."""
    plan_payment = timedelta()
    """How long the payment of a SageMaker training plan, or of its extension, lasts."""
    node_repair = timedelta()
    """How long a node of HyperPod is Pending after it was replaced or rebooted."""

    def reset(self) -> None:
        self.lambda_interfaces = self.plan_payment = self.node_repair = timedelta()


CLOCK, DELAYS = Clock(), Delays()
"""A process holds one local AWS at a time, and these are its own."""
