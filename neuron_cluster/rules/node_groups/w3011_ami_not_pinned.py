"""Images that move."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.asked_node_group import asked_node_groups
from neuron_cluster.rules.base import ConfigRule, Problem

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.environment import EnvironmentConfig


class AmiNotPinned(ConfigRule):
    """Every node group pins the release of its image.

    An image brings the kernel and the Neuron driver. Two groups, or two environments, made in different weeks from
    the same file run different ones.

    Without it: AWS answers nothing. A replacement months later gets a driver that your containers were not
    tested with, and jobs fail in nrt_init on the new nodes only.
    """

    id = "W3011"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/retrieve-ami-id.html"
    threads = ("aws-neuron/aws-neuron-sdk#655", "aws/aws-cdk#7273", "aws/aws-cdk#20823", "aws/containers-roadmap#2647")

    def check(self, config: EnvironmentConfig, catalog: Catalog) -> Iterator[Problem]:
        for asked in asked_node_groups(config, catalog):
            image = catalog.ami_type(asked.instance_type.eks_ami_type) if asked.instance_type is not None else None
            if config.eks is None or image is None or asked.group.ami_release is not None:
                continue
            parameter = image.release_version_parameter(config.eks.version)
            yield Problem(
                (*asked.path, "ami_release"),
                f"{asked.group.name} pins no ami_release, so its image is the newest one on the day it is created",
                f"set ami_release to what `aws ssm get-parameter --name {parameter}` answers",
            )
