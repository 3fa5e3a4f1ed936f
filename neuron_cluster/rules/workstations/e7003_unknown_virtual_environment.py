from __future__ import annotations

from neuron_cluster.compatibility.virtual_environments import has_for
from neuron_cluster.findings.suggestions import did_you_mean_one_of
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class UnknownVirtualEnvironment(Rule):
    """The virtual environment of a workstation is one of its Deep Learning AMI (`virtual_environment`).

    Base AMIs have none, and those with Amazon Linux 2023 have no vLLM, which requires a newer GLIBC.

    Without this check AWS reports no error. The instance starts, the login profile finds no folder to activate, and
    every login uses the Python of the operating system, which has no Neuron packages.
    """

    id = "E7003"
    source = "aws-neuron/aws-neuron-sdk: deploy/environments/dlami.rst"

    def check(self, context: RuleContext) -> Violations:
        for workstation in context.environment.workstations:
            name, dlami = workstation.spec.virtual_environment, workstation.dlami
            if name is None or dlami is None or name in dlami.virtual_environments:
                continue
            row = workstation.instance_type
            chip = row.chip if row is not None else None
            known = list(dlami.virtual_environments)
            fitting = [each for each in known if has_for(each, dlami, chip, context.catalog)] or known
            elsewhere = [
                other.name
                for other in context.catalog.dlamis
                if has_for(name, other, chip, context.catalog) and (row is None or row.family in other.families)
            ]
            hints = [f"write {listed(fitting, 'or')}" if known else "remove virtual_environment"]
            hints += [f"set dlami: {listed(elsewhere, 'or')}"] if elsewhere else []
            yield Violation(
                (*workstation.path, "virtual_environment"),
                f"virtual_environment is {name}, but {dlami.name} has {listed(known)}",
                did_you_mean_one_of(name, fitting) + "; or ".join(hints),
            )
