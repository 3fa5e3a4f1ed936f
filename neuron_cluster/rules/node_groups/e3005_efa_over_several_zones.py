"""EFA between buildings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.asked_node_group import asked_node_groups
from neuron_cluster.rules.base import ConfigRule, Violation
from neuron_cluster.rules.fitting_zones import zones_for_machines
from neuron_cluster.rules.wording import listed

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.environment import EnvironmentConfig


class EfaOverSeveralZones(ConfigRule):
    """A node group with EFA runs in one zone, which it names.

    EFA traffic does not cross zones, and a toolkit that chose the zone would choose another one after the next change.

    Without it: AWS answers nothing. Nodes start in several zones, and a job that spans two of them hangs when its
    collectives connect; with a placement group, EC2 refuses the nodes of the second zone.
    """

    id = "E3005"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/efa.html#efa-limits"
    references = (
        "aws-samples/aws-deep-learning-ami-ubuntu-dcv-desktop#25",
        "pulumi/pulumi-eks#1593",
        "aws-samples/amazon-eks-machine-learning-with-terraform-and-kubeflow#77",
    )

    def check(self, config: EnvironmentConfig, catalog: Catalog) -> Iterator[Violation]:
        for asked in asked_node_groups(config, catalog):
            if not asked.has_efa or len(asked.zone_ids) == 1 or asked.instance_type is None:
                continue
            best = zones_for_machines(asked.instance_type, config, catalog, among=asked.zone_ids)
            yield Violation(
                (*asked.path, "availability_zone"),
                f"{asked.group.name} has EFA and may run in {listed(asked.zone_ids)}; EFA does not cross zones",
                f"add availability_zone: {listed(best, 'or')} to {asked.group.name}, or set efa: off",
            )
