from __future__ import annotations

from neuron_cluster.compatibility.framework_use import RequestedFramework, requested_frameworks
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.framework_hints import describe_machine, nearest_sets


class FrameworkNotOnEveryHost(Rule):
    """Every framework supports every Neuron instance type of the file (`neuron.frameworks`).

    Only a warning: groups with different Neuron chips may be meant for different frameworks. Also reported when the
    data that the framework supports none of them is doubtful.

    Without this check AWS reports no error. Kubernetes does not distinguish the Neuron devices of different Neuron
    chips: a pod without a node selector for the instance type may be scheduled on a node whose Neuron chip its
    framework does not support.
    """

    id = "W5021"
    needs = Needs.LOCK
    source = "aws-neuron/aws-neuron-sdk: release-notes/components, about-neuron/announcements"

    def check(self, context: RuleContext) -> Violations:
        for group in requested_frameworks(context.environment, context.catalog, context.lock):
            doubt = group.framework.doubt_about("support")
            lacking = [use for use in group.uses if use.is_impossible]
            if not lacking or (doubt is None and len(lacking) == len(group.uses)):  # rule E5020
                continue
            others = dict.fromkeys(use.host.name for use in group.uses if not use.is_impossible)
            where = f", only on {listed(others)}" if others else ""
            yield Violation(
                group.path,
                f"{group.framework.name} does not run on "
                f"{listed((describe_machine(use, context.catalog) for use in lacking), 'or')}{where}"
                + (f"; in doubt: {doubt}" if doubt is not None else ""),
                _only_there(group, list(others)) + nearest_sets(lacking[0], context.catalog),
            )


def _only_there(group: RequestedFramework, others: list[str]) -> str:
    """Nodes of Kubernetes need a selector for that."""
    if not others:
        return ""
    on_nodes = any(use.host.kubernetes_version is not None for use in group.uses)
    selector = ", with a nodeSelector for its instance type" if on_nodes else ""
    return f"run it only on {listed(others)}{selector}; or "
