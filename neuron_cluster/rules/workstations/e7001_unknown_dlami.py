from __future__ import annotations

from neuron_cluster.findings.suggestions import did_you_mean
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class UnknownDlami(Rule):
    """The Deep Learning AMI of a workstation is in the catalog (`dlami`).

    The catalog has its login user, root device, virtual environments and the SSM parameter with its AMI id.

    Without this check EC2 rejects the launch, because the SSM parameter does not exist; or the instance starts without
    the login user that its configuration expects.
    """

    id = "E7001"
    source = "aws-neuron/aws-neuron-sdk: deploy/environments/dlami.rst"
    references = ("aws-neuron/aws-neuron-sdk#812",)

    def check(self, context: RuleContext) -> Violations:
        catalog = context.catalog
        for workstation in context.environment.workstations:
            name = workstation.spec.dlami
            if workstation.dlami is None:
                yield Violation(
                    (*workstation.path, "dlami"),
                    f"dlami is {name}, which is not in the catalog",
                    f"{did_you_mean(catalog.dlamis.similar(name))}`neuron-cluster catalog dlamis` lists all kinds",
                )
