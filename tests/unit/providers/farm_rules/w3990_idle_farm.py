"""Farms whose machines wait."""

from collections.abc import Iterator

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment
from neuron_cluster.rules.base import ConfigRule, Violation
from tests.unit.providers.farm import Farm


class IdleFarm(ConfigRule):
    """Machines of a farm do not wait (`farm.idle`).

    Without it: they are billed.
    """

    id = "W3990"
    source = "these tests"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        farm = environment.config.section(Farm)
        if farm is not None and farm.idle:
            yield Violation(("farm", "idle"), "idle is true", "remove idle")
