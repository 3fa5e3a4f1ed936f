"""RAID0 over disks that are not there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.config.machine import LocalDisks
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class LocalDisksOnTypeWithoutThem(ConfigRule):
    """local_disks is raid0 where the instance type has local disks, and an image that joins them.

    An error, because the fast scratch space that the line promises would be the root volume.

    Without this check AWS reports no error. nodeadm says "no ephemeral disks found" in a log of the node and goes on;
    images and scratch files fill the root volume.
    """

    id = "E3062"
    source = "https://github.com/awslabs/amazon-eks-ami/blob/81fec2e/templates/al2023/runtime/bin/setup-local-disks"
    proposes = ("local_disks", "root_volume")

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        for group in environment.cluster_groups:
            row, image = group.instance_type, group.image
            if row is None or group.spec.local_disks is not LocalDisks.RAID0:
                continue
            if row.local_disk_count == 0:
                lack = f"{row.name} has no local disks"
            elif image is not None and not image.joins_local_disks:
                lack = f"the image of {row.name}, {image.name}, does not join disks by itself"
            else:
                continue
            yield Violation(
                (*group.path, "local_disks"),
                f"local_disks is raid0, but {lack}",
                "remove local_disks; images and scratch files lie on root_volume",
            )
