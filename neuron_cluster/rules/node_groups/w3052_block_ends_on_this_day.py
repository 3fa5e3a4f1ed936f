"""The last day of a capacity block."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.asked_machine import asked_machines
from neuron_cluster.rules.base import DatedRule, Violation
from neuron_cluster.rules.block_window import clock, window_of

if TYPE_CHECKING:
    from datetime import date

    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.environment import EnvironmentConfig


class BlockEndsOnThisDay(DatedRule):
    """On the day of `--as-of` the capacity block of a group that wants nodes, or of a workstation, does not end.

    Without it: AWS answers late. EC2 begins to take the machines half an hour before the end, or earlier, and what was
    not saved by then is lost.
    """

    id = "W3052"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-capacity-blocks.html"
    references = ("aws/karpenter-provider-aws#8362",)

    def check(self, config: EnvironmentConfig, catalog: Catalog, as_of: date) -> Iterator[Violation]:
        for asked in asked_machines(config, catalog):
            ends = window_of(asked.block).ends if asked.block is not None else None
            if ends is None or as_of != ends.date() or asked.desired == 0:
                continue
            when = f"at {clock(ends)} on this day ({as_of}), and its machines go before"
            if asked.is_workstation:
                yield Violation(
                    (*asked.path, "capacity", "ends"),
                    f"the capacity block of {asked.wish.name} ends {when}",
                    "save what it holds outside its home, and deploy the file without it an hour before the end",
                )
            else:
                yield Violation(
                    (*asked.path, "count", "desired"),
                    f"desired is {asked.desired}, but the capacity block of {asked.wish.name} ends {when}",
                    "save what they hold, set desired: 0 and deploy an hour before the end",
                )
