from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from tests.unit.providers.farm import Farm


class IdleFarm(Rule):
    """Machines of a farm do not wait (`farm.idle`).

    Without it: they are billed.
    """

    id = "W3990"
    source = "these tests"

    def check(self, context: RuleContext) -> Violations:
        farm = context.environment.config.section(Farm)
        if farm is not None and farm.idle:
            yield Violation(("farm", "idle"), "idle is true", "remove idle")
