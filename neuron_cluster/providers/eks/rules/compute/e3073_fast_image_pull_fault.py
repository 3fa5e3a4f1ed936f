from __future__ import annotations

from neuron_cluster.catalog.ami_release import AmiRelease
from neuron_cluster.lock.model import Lock
from neuron_cluster.providers.eks.node_groups import EksNodeGroup, node_groups
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations


class FastImagePullFault(Rule):
    """The AMI release of a group with `fast_image_pull` has nodeadm's feature gate FastImagePull, without known faults.

    Without this check AWS reports the error late, or none. Nodes of a release with a fault do not become Ready, and the
    node group fails; an older release ignores the feature gate.
    """

    id = "E3073"
    needs = Needs.LOCK
    source = "catalog: ami_releases, limits; https://awslabs.github.io/amazon-eks-ami/nodeadm/doc/examples/"
    proposes = ("ami_release", "fast_image_pull")
    references = ("awslabs/amazon-eks-ami#2710", "awslabs/amazon-eks-ami#2712")

    def check(self, context: RuleContext) -> Violations:
        first = context.catalog.limits["fast_image_pull_release"].require_minimum()
        for group in node_groups(context.environment):
            release = _release(group, context.lock)
            row = context.catalog.ami_releases.get(release) if release is not None else None
            if not group.spec.fast_image_pull or row is None:
                continue
            if (reason := _fault(row, first)) is not None:
                yield Violation(
                    (*group.path, "fast_image_pull"),
                    f"fast_image_pull is true with the AMI release {release}: {reason}",
                    "remove fast_image_pull; or pin another release, by ami_release or a new lock",
                )


def _release(group: EksNodeGroup, lock: Lock | None) -> str | None:
    """Returns the release of the file, else of the lock; None where neither pins one."""
    kind = group.instance_type.eks_ami_type if group.instance_type is not None else None
    locked = lock.ami_releases.get(kind or "") if lock is not None else None
    return group.spec.ami_release or (locked.release_version if locked is not None else None)


def _fault(row: AmiRelease, first: int) -> str | None:
    if row.name.isdecimal() and int(row.name) < first:
        return f"releases before {first} do not have the feature gate FastImagePull"
    return row.fast_image_pull_fault
