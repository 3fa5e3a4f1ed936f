from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations

NEEDED = {
    "vcpus": "vCPUs",
    "memory_gib": "memory",
    "network_cards": "network cards",
    "purchase_modes": "purchase options",
}
"""Fields that other rules require, with their display names."""


class InstanceTypeAnnouncedOnly(Rule):
    """Some Region offers every instance type of the file (`instance_type`).

    Only a warning: an announced type can be planned and synthesized. The message lists the attributes that the catalog
    does not have, which no rule checks.

    Without this check EC2 rejects every launch with Unsupported or InvalidParameterValue, and the group becomes
    CREATE_FAILED.
    """

    id = "W3033"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DescribeInstanceTypeOfferings.html"

    def check(self, context: RuleContext) -> Violations:
        for group in context.environment.compute_groups:
            row = group.instance_type
            if row is None or row.launchable or not row.can_be_planned or not group.is_sold_by_ec2:
                continue
            unknown = [text for field, text in NEEDED.items() if getattr(row, field) is None]
            unchecked = f"; unknown and therefore not checked: {listed(unknown)}" if unknown else ""
            yield Violation(
                (*group.path, "instance_type"),
                f"{row.name} is announced only: no Region offered it on {row.zone_ids_as_of}{unchecked}",
                f"plan with it, and deploy when `aws ec2 describe-instance-types --instance-types {row.name}` returns "
                "it",
            )
