from __future__ import annotations

from neuron_cluster.findings.suggestions import did_you_mean_one_of
from neuron_cluster.findings.text import quoted
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class PropagatedTagUnknown(Rule):
    """Each key of `propagate_at_launch` is a key of `tags`, and is listed once.

    The value of a propagated tag is the value in `tags`.

    Without this check instances launch without the tag. If a policy of the organization requires it on
    ec2:RunInstances, EC2 rejects every launch with UnauthorizedOperation, and the node group ends as CREATE_FAILED.
    """

    id = "E6007"
    source = (
        "https://docs.aws.amazon.com/organizations/latest/userguide/orgs_manage_policies_scps_examples_tagging.html"
    )
    proposes = ("tags",)

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        for position, key in enumerate(config.propagate_at_launch):
            path = ("propagate_at_launch", position)
            if key in config.propagate_at_launch[:position]:
                yield Violation(path, f"the tag key {quoted(key)} is listed twice", "remove one of them")
            elif key not in config.tags:
                near = did_you_mean_one_of(key, config.tags)
                hint = f"{near}add {quoted(key)} with its value to tags, or remove it here"
                yield Violation(path, f"{quoted(key)} is not a key of tags", hint)
