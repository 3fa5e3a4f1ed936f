from __future__ import annotations

from neuron_cluster.providers.eks.config.cluster import Eks
from neuron_cluster.providers.eks.node_groups import node_groups
from neuron_cluster.rules.base import LOCK_IT, Needs, Rule, RuleContext, Violation, Violations


class AmiNotPinned(Rule):
    """The AMI release of every node group is pinned by the lock or by `ami_release`.

    An AMI contains the kernel and the Neuron driver. Two groups, or two environments, that are created in different
    weeks from the same file run different ones. EKS also uses the newest AMI of the group's Kubernetes version when an
    edit of a root volume or of interfaces creates a new launch template version (API UpdateNodegroupVersion,
    releaseVersion).

    Without this check AWS reports no error. A node that is replaced months later gets a driver that your containers
    were not tested with, and jobs fail in nrt_init on the new nodes only.
    """

    id = "W3011"
    needs = Needs.LOCK
    source = "https://docs.aws.amazon.com/eks/latest/userguide/retrieve-ami-id.html"
    proposes = ("ami_release",)
    references = (
        "aws-neuron/aws-neuron-sdk#655",
        "aws/aws-cdk#7273",
        "aws/aws-cdk#20823",
        "aws/containers-roadmap#2647",
    )

    def check(self, context: RuleContext) -> Violations:
        lock = context.lock
        eks = context.environment.config.section(Eks)
        locked = lock.ami_releases if lock is not None else {}
        for group in node_groups(context.environment):
            ami_type = group.instance_type.eks_ami_type if group.instance_type is not None else None
            image = context.catalog.ami_types.get(ami_type) if ami_type is not None else None
            if eks is None or image is None or group.spec.ami_release or image.name in locked:
                continue
            yield Violation(
                (*group.path, "ami_release"),
                f"neither the lock nor ami_release pins the AMI of {group.name}: it is the newest one on the day the "
                "group is created, and again after each edit that changes its launch template",
                f"run `{LOCK_IT}`, which pins the AMI releases of all groups; or set ami_release of the group",
            )
