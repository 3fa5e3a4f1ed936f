from __future__ import annotations

from neuron_cluster.config.machine import EfaLayout
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class EfaNotSupported(Rule):
    """EFA is enabled only for instance types with EFA interfaces (`efa`).

    Without this check EC2 rejects every launch with InvalidParameterCombination, "EFA interfaces are not supported on
    inf2.xlarge", and the group becomes CREATE_FAILED.
    """

    id = "E3004"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/efa.html"
    proposes = ("efa",)
    references = ("aws-neuron/aws-neuron-parallelcluster-samples#24",)

    def check(self, context: RuleContext) -> Violations:
        for group in context.environment.cluster_groups:
            instance_type = group.instance_type
            layout = group.spec.efa
            if layout in (None, EfaLayout.OFF) or instance_type is None or instance_type.efa_interfaces != 0:
                continue  # an unknown number: rule E3018
            rows = [row for row in context.catalog.instance_types if row.launchable and row.efa_interfaces]
            others = [row.name for row in rows if row.chip == instance_type.chip]
            has_other = bool(others) and instance_type.chip is not None
            swap = f", or set instance_type: {listed(others, 'or')}" if has_other else ""
            yield Violation(
                (*group.path, "efa"),
                f"efa is {layout}, but {instance_type.name} has no EFA interfaces",
                f"set efa: off{swap}",
            )
