"""The time of this local AWS: that of the machine, unless a test or a person sets it.

Capacity blocks and reservations, training plans and jobs, what EKS does to a group before its block ends, the
interfaces of deleted functions, schedules and the time in which signals have to come go by it. Signatures and the
events of stacks keep the machine's time, which clients compare with their own.
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
    """How long AWS takes where this local AWS goes by its clock: no time unless it is set, except for training."""

    lambda_interfaces = timedelta()
    """How long the interfaces of a function in a VPC outlive it."""
    plan_payment = timedelta()
    """How long the payment of a SageMaker training plan, or of its extension, lasts."""
    node_repair = timedelta()
    """How long a node of HyperPod is Pending after it was replaced or rebooted."""
    training_job_start = timedelta()
    """How long SageMaker prepares the instances of a training job."""
    training_job_download = timedelta()
    """How long a training job downloads its data and its image."""
    training_job = timedelta(minutes=10)
    """How long a training job trains when nothing stops it: time enough to look at it and to stop it by hand."""
    training_job_upload = timedelta()
    """How long a training job uploads its model artifact."""
    training_job_stop = timedelta(seconds=120)
    """How long a training job goes on after SIGTERM: all of the time that SageMaker gives, as no container ends it."""

    def reset(self) -> None:
        """Every delay is that of the class again."""
        vars(self).clear()


CLOCK, DELAYS = Clock(), Delays()
"""A process holds one local AWS at a time, and these are its own."""
