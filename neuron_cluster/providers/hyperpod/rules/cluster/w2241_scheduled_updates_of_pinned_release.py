from __future__ import annotations

from neuron_cluster.providers.hyperpod.groups import hyperpod_groups
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class ScheduledUpdatesOfPinnedRelease(Rule):
    """An instance group has a pinned AMI release or scheduled updates (`ami_release`, `software_updates`).

    Only a warning: AWS accepts both, and then the release is that of the first nodes.

    Without this check AWS reports no error. The first scheduled update takes the nodes past the release of the file,
    CloudFormation does not set it back, and `drift` reports it from then on.
    """

    id = "W2241"
    source = (
        "cfn-lint 1.58.0: AWS::SageMaker::Cluster ImageReleaseVersion; boto/botocore 1.44.5: sagemaker "
        "ScheduledUpdateConfig"
    )
    proposes = ("ami_release", "software_updates")

    def check(self, context: RuleContext) -> Violations:
        for group in hyperpod_groups(context.environment):
            release, updates = group.spec.ami_release, group.spec.software_updates
            if release is not None and updates is not None:
                yield Violation(
                    (*group.path, "ami_release"),
                    f"ami_release is {release}, and the scheduled updates ({updates.schedule}) of {group.name} go on "
                    "to the newest release",
                    "remove ami_release, or software_updates",
                )
