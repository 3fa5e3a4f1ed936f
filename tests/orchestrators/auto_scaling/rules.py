"""The rule about its own key; those about machines are the toolkit's."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment
from neuron_cluster.rules.base import ConfigRule, Violation
from tests.orchestrators.auto_scaling.provider import ScaledGroup


class UnknownImage(ConfigRule):
    """The DLAMI kind of an Auto Scaling group is in the catalog (`dlami`).

    Without this check there is no image to start.
    """

    id = "E3991"
    source = "these tests"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        for group in environment.groups_of(ScaledGroup):
            if group.dlami is None:
                yield Violation((*group.path, "dlami"), f"dlami is {group.dlami_name}, which is unknown", "correct it")
