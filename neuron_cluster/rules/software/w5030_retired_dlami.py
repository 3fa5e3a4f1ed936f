from __future__ import annotations

from neuron_cluster.catalog.dlami import Dlami
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class RetiredDlami(Rule):
    """AWS still builds the Deep Learning AMI of every workstation (`dlami`).

    Only a warning: the last AMI of the kind still exists, and may be required by a framework that newer AMIs do not
    include.

    Without this check AWS reports no error. The SSM parameter keeps returning the last AMI, without driver and
    operating system fixes, until AWS deregisters the AMI and new instances cannot be launched.
    """

    id = "W5030"
    source = "aws-neuron/aws-neuron-sdk: release-notes/components/dlamis.rst"
    proposes = ("ami_id",)
    references = ("huggingface/optimum-neuron#572",)

    def check(self, context: RuleContext) -> Violations:
        for workstation in context.environment.workstations:
            dlami, row = workstation.dlami, workstation.instance_type
            if dlami is None or dlami.successor is None or row is None:
                continue
            if workstation.spec.ami_id is not None:  # the AMI is pinned
                continue
            yield Violation(
                (*workstation.path, "dlami"),
                f"{dlami.name} remains at Neuron SDK {dlami.neuron_sdk}: AWS no longer builds it; its "
                f"successor is {dlami.successor}",
                _way_out(context.catalog.dlamis.get(dlami.successor), row.family),
            )


def _way_out(successor: Dlami | None, family: str) -> str:
    if successor is not None and family not in successor.families:
        return f"pin ami_id before AWS removes it; the successor supports {listed(successor.families)}, not {family}"
    return "set dlami to the successor, or pin ami_id before AWS removes it"
