from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class DlamiParameterNotPublished(Rule):
    """The AMI id is pinned where AWS publishes no SSM parameter for the Deep Learning AMI (`ami_id`).

    Without this check EC2 rejects the launch: the SSM parameter of the launch template does not exist.
    """

    id = "E7009"
    source = "aws-neuron/aws-neuron-sdk: deploy/environments/dlami.rst; GetParametersByPath of 2026-10-03"
    proposes = ("ami_id",)

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        for workstation in context.environment.workstations:
            dlami = workstation.dlami
            if dlami is None or workstation.spec.ami_id or config.region not in dlami.regions_without_parameter:
                continue
            yield Violation(
                (*workstation.path, "ami_id"),
                f"{config.region} has no SSM parameter for {dlami.name}, as of {dlami.checked_on}",
                f"set ami_id: `aws ec2 describe-images --owners amazon --region {config.region} --filters "
                f"'Name=name,Values={dlami.title}*'` lists the AMIs",
            )
