from __future__ import annotations

from neuron_cluster.compatibility.virtual_environments import has_for
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class DlamiInstanceFamilyMismatch(Rule):
    """The Deep Learning AMI of a workstation supports its instance family (`dlami`).

    Without this check AWS reports no error. The instance starts, but its driver does not detect the Neuron devices or
    its frameworks do not support them: `neuron-ls` lists no device, or compilation fails with an unsupported target.
    """

    id = "E7002"
    source = "aws-neuron/aws-neuron-sdk: deploy/environments/dlami.rst"
    proposes = ("virtual_environment",)
    references = ("awslabs/amazon-eks-ami#2579", "aws/amazon-ecs-ami#557")

    def check(self, context: RuleContext) -> Violations:
        for workstation in context.environment.workstations:
            row, dlami = workstation.instance_type, workstation.dlami
            if row is None or dlami is None or row.family in dlami.families:
                continue
            fitting = [other for other in context.catalog.dlamis if row.family in other.families]
            wanted = workstation.spec.virtual_environment
            same = [other for other in fitting if wanted is None or has_for(wanted, other, row.chip, context.catalog)]
            others = [other.name for other in same or fitting]
            hint = f"set instance_type to one of {listed(dlami.families, 'or')}"
            without = "" if same else " without virtual_environment"
            yield Violation(
                (*workstation.path, "dlami"),
                f"{dlami.name} supports {listed(dlami.families)}, but instance_type is {row.name}",
                f"{hint}, or set dlami: {listed(others, 'or')}{without}" if others else hint,
            )
