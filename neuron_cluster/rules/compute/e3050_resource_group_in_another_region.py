from __future__ import annotations

from neuron_cluster.config.capacity import Reservation
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class ResourceGroupInAnotherRegion(Rule):
    """The resource group of reservations is in the environment's Region (`capacity.resource_group`).

    Without this check EC2 does not find the resource group and rejects every launch, and the group becomes
    CREATE_FAILED.
    """

    id = "E3050"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/cr-groups.html"

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        for group in context.environment.compute_groups:
            capacity = group.capacity
            arn = capacity.resource_group if isinstance(capacity, Reservation) else None
            region = arn.split(":")[3] if arn is not None else config.region
            if region != config.region:
                yield Violation(
                    (*group.path, "capacity", "resource_group"),
                    f"resource_group of {group.name} is in {region}, but the environment is in {config.region}",
                    f"set a resource_group of {config.region}: `aws resource-groups list-groups --region "
                    f"{config.region}`",
                )
