"""Frameworks that are not in the catalog."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.compatibility.neuron_software import neuron_hosts
from neuron_cluster.findings.suggestions import did_you_mean
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class UnknownFramework(ConfigRule):
    """Every framework is in the catalog (`neuron.frameworks`).

    Without this check the Neuron chips and Neuron SDK releases that support the framework are unknown.
    """

    id = "E5018"
    source = "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/frameworks/"
    proposes = ("frameworks",)

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        config = environment.config
        for position, name in enumerate(config.neuron.frameworks):
            if catalog.framework(name) is None:
                yield Violation(
                    ("neuron", "frameworks", position),
                    f"{name} is not a framework of the catalog",
                    f"{_beginning(name, environment, catalog)}`neuron-cluster catalog frameworks` lists all frameworks",
                )


def _beginning(name: str, environment: ResolvedEnvironment, catalog: Catalog) -> str:
    """What may be meant: of the frameworks that are called so those that run here, else all, and that none does."""
    config = environment.config
    near = catalog.similar_frameworks(name)
    known = [row for each in near if (row := catalog.framework(each)) is not None]
    chips = [host.instance_type.chip for host in neuron_hosts(environment, catalog, None)]
    running = [row.name for row in known if any(row.runs_on(chip, config.neuron.sdk) for chip in chips if chip)]
    if running or not near:
        return did_you_mean(running)
    return f"{did_you_mean(near)}no instance type of this file supports them with Neuron SDK {config.neuron.sdk}; "
