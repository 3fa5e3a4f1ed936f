from __future__ import annotations

from neuron_cluster.compatibility.framework_use import requested_frameworks
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.framework_hints import describe_machine, nearest_sets


class FrameworkWithoutSupportedHost(Rule):
    """Every framework supports a Neuron instance type of the file (`neuron.frameworks`).

    Support depends on the Neuron chip and the Neuron SDK release. The release is that of a listed container with the
    framework, else of the DLAMI, else neuron.sdk. A retired framework is supported while the release still includes it
    (W5022).

    Without this check AWS reports no error. The nodes start and are billed; the first job fails with "No module
    named", or in the compiler, which does not support the Neuron chip.
    """

    id = "E5020"
    needs = Needs.LOCK
    source = "aws-neuron/aws-neuron-sdk: release-notes/components, about-neuron/announcements"

    def check(self, context: RuleContext) -> Violations:
        for group in requested_frameworks(context.environment, context.catalog, context.lock):
            certain = group.framework.doubt_about("support") is None
            if certain and group.uses and all(use.is_impossible for use in group.uses):
                machines = listed((describe_machine(use, context.catalog) for use in group.uses), "or")
                gone = ", which no longer includes it" if any(use.is_retired for use in group.uses) else ""
                yield Violation(
                    group.path,
                    f"{group.framework.name} does not run on {machines}{gone}",
                    nearest_sets(group.uses[0], context.catalog),
                )
