from __future__ import annotations

from collections.abc import Sequence

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.framework import Framework
from neuron_cluster.compatibility.neuron_software import neuron_hosts
from neuron_cluster.findings.suggestions import did_you_mean
from neuron_cluster.findings.text import listed
from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class UnknownFramework(Rule):
    """Every framework is in the catalog (`neuron.frameworks`).

    Without this check the Neuron chips and Neuron SDK releases that support the framework are unknown.
    """

    id = "E5018"
    source = "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/frameworks/"
    proposes = ("frameworks",)

    def check(self, context: RuleContext) -> Violations:
        for position, name in enumerate(context.environment.config.neuron.frameworks):
            if context.catalog.frameworks.get(name) is None:
                meant, ways = _meant(name, context.environment, context.catalog)
                yield Violation(
                    ("neuron", "frameworks", position),
                    f"{name} is not a framework of the catalog{meant}",
                    f"{ways}`neuron-cluster catalog frameworks` lists all frameworks",
                )


def _meant(name: str, environment: ResolvedEnvironment, catalog: Catalog) -> tuple[str, str]:
    """Returns likely names that do not run here, for the message; and the framework to write, for the hint.

    A framework that does not run on an instance type of the file would be the next error (E5020).
    """
    sdk = environment.config.neuron.sdk
    near = [row for each in catalog.frameworks.similar(name) if (row := catalog.frameworks.get(each)) is not None]
    hosts = neuron_hosts(environment, catalog, None)
    chips = [host.instance_type.chip for host in hosts if host.instance_type.chip is not None]
    here = [row for row in catalog.frameworks if any(row.runs_on(chip, sdk) for chip in chips)]
    running = [row.name for row in near if row in here]
    if running or not near:
        return "", did_you_mean(running)
    known = [f"{row.name}{_last_release(row, chips, catalog)}" for row in near]
    meant = f"; no instance type of this file supports {listed(known, 'or')} with Neuron SDK {sdk}"
    return meant, f"use {listed((row.name for row in here), 'or')}; " if here else ""


def _last_release(row: Framework, chips: Sequence[str], catalog: Catalog) -> str:
    """The newest Neuron SDK release with the framework for one of the chips, in words."""
    releases = (sdk.name for sdk in catalog.neuron_sdks if any(row.runs_on(chip, sdk.name) for chip in chips))
    newest = next(releases, None)
    return f" (up to {newest})" if newest is not None else ""
