from __future__ import annotations

from neuron_cluster.providers.eks.config.cluster import Eks
from neuron_cluster.providers.eks.node_groups import node_groups
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class AmiReleaseVersionMismatch(Rule):
    """The AMI release is for the Kubernetes version of the cluster (`ami_release`).

    A pinned release contains the version, and EKS updates either the release or the version in one call: the toolkit
    then sets only the release.

    Without this check EKS rejects the node group with InvalidParameterException, "Requested release version
    1.34.2-20260714 is not valid for kubernetes version 1.35".
    """

    id = "E3016"
    source = "https://docs.aws.amazon.com/eks/latest/APIReference/API_CreateNodegroup.html (releaseVersion)"
    proposes = ("ami_release",)
    references = ("aws/aws-cdk#13602", "aws/containers-roadmap#1258")

    def check(self, context: RuleContext) -> Violations:
        eks = context.environment.config.section(Eks)
        for group in node_groups(context.environment):
            release = group.spec.ami_release
            if eks is None or release is None or release.rpartition(".")[0] == eks.version:
                continue
            yield Violation(
                (*group.path, "ami_release"),
                f"ami_release is {release}, an AMI of Kubernetes {release.rpartition('.')[0]}, but eks.version is "
                f"{eks.version}",
                f"write a release that begins with {eks.version}., or remove ami_release and pin it again later",
            )
