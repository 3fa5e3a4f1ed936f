from __future__ import annotations

from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations


class RootVolumeSmallerThanSnapshot(Rule):
    """A root volume has at least the size of the root snapshot of its AMI (`root_volume.size_gib`).

    The size is that of the root device in `ec2:DescribeImages`, which `neuron-cluster lock` records for AMIs that the
    file or the lock pins by id. AMIs that no lock describes are not compared.

    Without this check EC2 starts no instance: "InvalidBlockDeviceMapping: Volume of size 40GB is smaller than snapshot,
    expect size >= 75GB". Where instances start for jobs alone, that is after the deploy.
    """

    id = "E3096"
    needs = Needs.LOCK
    source = "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_EbsBlockDevice.html"
    proposes = ("root_volume",)

    def check(self, context: RuleContext) -> Violations:
        lock = context.lock
        if lock is None:
            return
        for group in context.environment.compute_groups:
            image_id, volume = group.pinned_ami(lock), group.root_volume
            minimum = lock.root_volume_gib(image_id) if image_id is not None else None
            if volume is not None and minimum is not None and volume.size_gib < minimum:
                yield Violation(
                    (*group.path, "root_volume", "size_gib"),
                    f"the root volume of {group.name} has {volume.size_gib} GiB, but the root snapshot of {image_id} "
                    f"has {minimum} GiB",
                    f"set root_volume.size_gib: {minimum} or more",
                )
