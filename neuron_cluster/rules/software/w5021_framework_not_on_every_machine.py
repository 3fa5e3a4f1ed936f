"""Frameworks that some machines of the file cannot run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.compatibility.framework_use import requested_frameworks
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import ConfigRule, Violation
from neuron_cluster.rules.framework_hints import machine_in_words, nearest_sets

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class FrameworkNotOnEveryMachine(ConfigRule):
    """Every framework runs on every Neuron machine of the file.

    Only a warning: groups of different chips may be there for different frameworks. Also when a doubtful fact says
    that it runs on none.

    Without this check AWS reports no error. Kubernetes counts Neuron devices of all chips alike: a pod without a
    selector for the instance type lands on a node whose chip its framework has no code for.
    """

    id = "W5021"
    source = "aws-neuron/aws-neuron-sdk: release-notes/components, about-neuron/announcements"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        for group in requested_frameworks(environment, catalog):
            doubt = group.framework.doubt_about("support")
            lacking = [use for use in group.uses if use.is_impossible]
            if not lacking or (doubt is None and len(lacking) == len(group.uses)):  # rule E5020
                continue
            others = dict.fromkeys(use.host.name for use in group.uses if not use.is_impossible)
            where = f", only on {listed(others)}" if others else ""
            yield Violation(
                group.path,
                f"{group.framework.name} does not run on "
                f"{listed((machine_in_words(use, catalog) for use in lacking), 'or')}{where}"
                + (f"; in doubt: {doubt}" if doubt is not None else ""),
                (f"run it on {listed(others)} alone, with a nodeSelector for its instance type; or " if others else "")
                + nearest_sets(lacking[0], catalog),
            )
