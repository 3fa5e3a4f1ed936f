from __future__ import annotations

from neuron_cluster.providers.pcs.groups import slurm_groups
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class DesiredDiffersFromMin(Rule):
    """The desired count of a compute node group is its minimum (`count.desired`).

    PCS starts the minimum, and more instances for jobs.

    Without this check `desired` would have no effect, and `plan` would show a price of instances that do not start.
    """

    id = "E2114"
    source = "boto/botocore 1.44.5: pcs ScalingConfiguration"
    proposes = ("min", "desired")

    def check(self, context: RuleContext) -> Violations:
        for group in slurm_groups(context.environment):
            minimum, desired = group.scaling.minimum, group.scaling.desired
            if desired > minimum:  # else rule E3007
                yield Violation(
                    (*group.path, "count", "desired"),
                    f"desired is {desired} and min is {minimum}: PCS starts min instances, and more for jobs",
                    f"set min: {desired} for instances without jobs, or set desired: {minimum}",
                )
