from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from tests.orchestrators.auto_scaling.provider import ScaledGroup


class UnknownImage(Rule):
    """The DLAMI kind of an Auto Scaling group is in the catalog (`dlami`).

    Without this check there is no image to start.
    """

    id = "E3991"
    source = "these tests"

    def check(self, context: RuleContext) -> Violations:
        for group in context.environment.groups_of(ScaledGroup):
            if group.dlami is None:
                yield Violation((*group.path, "dlami"), f"dlami is {group.dlami_name}, which is unknown", "correct it")
