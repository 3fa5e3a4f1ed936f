from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.providers.pcs.groups import slurm_groups
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class SlurmDlamiFamilyMismatch(Rule):
    """The Deep Learning AMI supports the instance family of each group with Neuron devices (`slurm.dlami`).

    Without this check AWS reports no error. The device files do not exist, slurmd stops, and PCS ends the instance
    after half an hour.
    """

    id = "E2117"
    source = "aws-neuron/aws-neuron-sdk: deploy/environments/dlami.rst"
    proposes = ("dlami",)

    def check(self, context: RuleContext) -> Violations:
        groups = [group for group in slurm_groups(context.environment) if group.is_neuron]
        families = {group.instance_type.family for group in groups if group.instance_type is not None}
        fitting = [row.name for row in context.catalog.dlamis if row.successor is None and families <= {*row.families}]
        for group in groups:
            row, dlami = group.instance_type, group.dlami
            if row is None or dlami is None or row.family in dlami.families:
                continue
            other = f"set dlami: {listed(fitting, 'or')}, with an AMI built from it" if fitting else ""
            types = f"use instance types of {listed(dlami.families, 'or')}"
            yield Violation(
                group.image_path,
                f"{dlami.name} supports {listed(dlami.families)}, but instance_type of {group.name} is {row.name}",
                f"{other}; or {types}" if other else types,
            )
