from __future__ import annotations

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.compatibility.framework_use import FrameworkUse, RequestedFramework, requested_frameworks
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.framework_hints import describe_machine, nearest_sets


class RetiredFramework(Rule):
    """Every framework is supported with the Neuron SDK release of its hosts (`neuron.frameworks`).

    Only a warning: the packages still exist, and may still work.

    Without this check AWS reports no error. Models compile with this release and may fail after the next upgrade, for
    which AWS provides no fix.
    """

    id = "W5022"
    needs = Needs.LOCK
    source = "aws-neuron/aws-neuron-sdk: about-neuron/announcements"

    def check(self, context: RuleContext) -> Violations:
        for group in requested_frameworks(context.environment, context.catalog, context.lock):
            retired = [use for use in group.uses if use.is_retired and not use.is_impossible]
            if retired:
                first = retired[0]
                machines = listed(describe_machine(use, context.catalog) for use in retired)
                note = f": {first.support.note}" if first.support is not None and first.support.note else ""
                yield Violation(
                    group.path,
                    f"{group.framework.name} is retired on {machines}{note}",
                    _way_out(first, context.catalog),
                )
            else:
                yield from _in_retired_image(group, context.catalog)


def _in_retired_image(group: RequestedFramework, catalog: Catalog) -> Violations:
    """A framework in maintenance, whose images are those of a retired one: `workload render` warns of them too."""
    for use in group.uses if not any(use.is_impossible for use in group.uses) else ():
        if (base := use.retired_image(catalog)) is not None:
            last = [each.sdk_until for each in base.support if use.chip in each.chips and each.state != "retired"]
            where = describe_machine(use, catalog)
            message = f"{use.framework.name} is in images of {base.name}, which is retired on {where}"
            earlier = f"set Neuron SDK {last[-1]}, the last release with it, or " if last and last[-1] else ""
            successor = base.successor_on(use.chip, use.sdk)
            yield Violation(group.path, message, f"{earlier}use {successor or 'another framework'}")
            return


def _way_out(use: FrameworkUse, catalog: Catalog) -> str:
    """The nearest supported combinations, and the successor where none of them includes it yet."""
    successor = use.framework.successor_on(use.chip, use.sdk)
    row = catalog.frameworks.get(successor) if successor is not None else None
    later = row is not None and not row.runs_on(use.chip, use.sdk)
    return nearest_sets(use, catalog) + (f"; in another release, its successor is {successor}" if later else "")
