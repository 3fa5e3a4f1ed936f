"""Frameworks that nothing in the file can run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.asked_framework import asked_frameworks, machine_in_words, nearest_sets
from neuron_cluster.rules.base import ConfigRule, Violation
from neuron_cluster.rules.wording import listed

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.environment import EnvironmentConfig


class FrameworkOnNoMachine(ConfigRule):
    """Every framework runs on some Neuron machine of the file.

    Whether it does depends on chip and Neuron SDK together. The release is that of a listed container with the
    framework, else of the DLAMI, else neuron.sdk. A retired framework counts while the release still ships it (W5022).

    Without it: AWS answers nothing. The nodes start and cost what they cost; the first job ends in "No module named",
    or in the compiler, which does not know the chip.
    """

    id = "E5020"
    source = "aws-neuron/aws-neuron-sdk: release-notes/components, about-neuron/announcements"

    def check(self, config: EnvironmentConfig, catalog: Catalog) -> Iterator[Violation]:
        for asked in asked_frameworks(config, catalog):
            certain = asked.framework.doubt_about("support") is None
            if certain and asked.uses and all(use.is_impossible for use in asked.uses):
                machines = listed((machine_in_words(use, catalog) for use in asked.uses), "or")
                gone = ", which does not ship it any more" if any(use.is_retired for use in asked.uses) else ""
                yield Violation(
                    asked.path,
                    f"{asked.framework.name} does not run on {machines}{gone}",
                    nearest_sets(asked.uses[0], catalog),
                )
