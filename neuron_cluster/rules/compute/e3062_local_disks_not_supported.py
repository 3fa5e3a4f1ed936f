from __future__ import annotations

from neuron_cluster.config.machine import LocalDisks
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class LocalDisksNotSupported(Rule):
    """RAID0 is set for instance types with local disks and an AMI that configures them (`local_disks`).

    An error, because images and scratch files would be on the root volume instead of the fast local disks.

    Without this check AWS reports no error. nodeadm logs "no ephemeral disks found" on the node and continues; images
    and scratch files fill the root volume.
    """

    id = "E3062"
    source = "https://github.com/awslabs/amazon-eks-ami/blob/81fec2e/templates/al2023/runtime/bin/setup-local-disks"
    proposes = ("local_disks", "root_volume")

    def check(self, context: RuleContext) -> Violations:
        for group in context.environment.cluster_groups:
            row, image = group.instance_type, group.image
            if row is None or group.spec.local_disks is not LocalDisks.RAID0:
                continue
            if row.local_disk_count == 0:
                reason = f"{row.name} has no local disks"
            elif image is not None and not image.joins_local_disks:
                reason = f"the AMI type of {row.name}, {image.name}, does not configure local disks"
            else:
                continue
            yield Violation(
                (*group.path, "local_disks"),
                f"local_disks is raid0, but {reason}",
                "remove local_disks; images and scratch files are then on root_volume",
            )
