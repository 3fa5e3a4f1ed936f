from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class HomeInAnotherZone(Rule):
    """A workstation runs in the Availability Zone of its home volume (`availability_zone`).

    Without this check EC2 rejects every attempt to attach the volume with InvalidVolume.ZoneMismatch, "The volume is
    not in the same availability zone as instance", and the home directory is that of the AMI.
    """

    id = "E7005"
    source = "https://docs.aws.amazon.com/ebs/latest/userguide/ebs-attaching-volume.html"
    proposes = ("availability_zone",)

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        for workstation in context.environment.workstations:
            if workstation.home is None or workstation.zone_id == workstation.home.availability_zone:
                continue
            there = workstation.home.availability_zone
            if there not in context.catalog.regions.zone_ids(config.region):  # rule E1001
                continue
            yield Violation(
                (*workstation.path, "availability_zone"),
                f"{workstation.name} runs in {workstation.zone_id}, but its home is in {there}",
                f"set availability_zone: {there}, or remove availability_zone",
            )
