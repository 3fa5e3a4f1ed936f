"""Nodes asked for before their capacity block starts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.base import DatedRule, Violation
from neuron_cluster.rules.block_window import clock, window_of

if TYPE_CHECKING:
    from datetime import date

    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class NodesBeforeBlockStarts(DatedRule):
    """On the day of `--as-of` the capacity block of a group that wants nodes, or of a workstation, has started.

    Asked where the file says when the block `starts`; without that see rule W3026. Only a warning: the file may be
    written ahead of its deploy.

    Without this check EC2 rejects every launch until the block begins, and EKS reports the node group as
    CREATE_FAILED, so that the nodes stack rolls back.
    """

    id = "W3042"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/capacity-blocks-mng.html"
    proposes = ("capacity", "desired")

    def check(self, environment: ResolvedEnvironment, catalog: Catalog, as_of: date) -> Iterator[Violation]:
        del catalog
        for group in environment.compute_groups:
            starts = window_of(group.block).starts if group.block is not None else None
            desired = group.scaling.desired
            if starts is None or desired == 0 or as_of > starts.date():
                continue
            command = f"aws ec2 describe-capacity-reservations --capacity-reservation-ids {group.reservation_id}"
            # A day is compared, not a time: on its first day the block may have started already.
            is_today = as_of == starts.date()
            begins = (
                f"starts on {as_of}, {clock(starts)}"
                if is_today
                else f"starts only on {starts.date()}, {clock(starts)}"
            )
            then = f"deploy after {clock(starts)}, once `{command}` says active"
            if group.is_workstation:
                now = "and" if is_today else f"but on {as_of}"
                said = f"{group.name} starts when it is deployed, {now} its capacity block {begins}"
                yield Violation((*group.path, "capacity", "starts"), said, then)
                continue
            now = f"desired is {desired}, and" if is_today else f"desired is {desired} on {as_of}, but"
            until = f"; to deploy before, set desired: 0 and set it back to {desired} later"
            later = f"set desired: 0 until `{command}` says active; then set it back to {desired} and deploy"
            yield Violation(
                (*group.path, "count", "desired"),
                f"{now} the capacity block of {group.name} {begins}",
                then + until if is_today else later,
            )
