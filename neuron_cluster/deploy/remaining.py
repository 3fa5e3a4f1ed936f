"""The remaining time of a deploy that creates stacks, from their progress."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from neuron_cluster.deploy.cdk_cli import SIMULTANEOUS_STACKS
from neuron_cluster.deploy.progress import WAITING, StackProgress
from neuron_cluster.timing.remaining_time import LateResource, remaining_time
from neuron_cluster.timing.time_text import range_text
from neuron_cluster.timing.timed_stack import TimedStack

AS_EXPECTED = (WAITING, "REVIEW_IN_PROGRESS", "CREATE_IN_PROGRESS", "CREATE_COMPLETE")


def remaining_line(stacks: Sequence[TimedStack], progress: Sequence[StackProgress], at: datetime) -> str:
    """``remaining: 12 to 31 min``, at this moment; empty where all new stacks exist, or one of them has failed."""
    new = {stack.name for stack in stacks}
    found = [each for each in progress if each.name in new]
    if any(each.status not in AS_EXPECTED for each in found) or all(each.status == "CREATE_COMPLETE" for each in found):
        return ""
    remaining = remaining_time(stacks, SIMULTANEOUS_STACKS, {each.name: each.resources for each in found}, at)
    late = "".join(f"; {_late(each)}" for each in remaining.late)
    return f"remaining for the new stacks: {range_text(remaining.seconds)}{late}"


def _late(late: LateResource) -> str:
    minutes = round(late.seconds / 60)
    where = f"{late.stack}/{late.logical_id} ({late.type})"
    return f"{where} has taken {minutes} min, longer than the expected {range_text(late.expected)}"
