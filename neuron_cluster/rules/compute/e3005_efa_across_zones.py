from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.fitting_zones import zones_for_machines


class EfaAcrossZones(Rule):
    """A node group with EFA runs in one Availability Zone (`availability_zone`).

    EFA traffic does not cross Availability Zones. The file sets the zone, because a zone that the toolkit chose could
    change with the next edit.

    Without this check AWS reports no error. Nodes start in several zones, and a job that spans two zones hangs when
    its collectives connect. With a placement group, EC2 rejects the nodes of the second zone.
    """

    id = "E3005"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/efa.html#efa-limits"
    proposes = ("availability_zone", "efa")
    references = (
        "aws-samples/aws-deep-learning-ami-ubuntu-dcv-desktop#25",
        "pulumi/pulumi-eks#1593",
        "aws-samples/amazon-eks-machine-learning-with-terraform-and-kubeflow#77",
    )

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        for group in context.environment.cluster_groups:
            if not group.has_efa or len(group.zone_ids) == 1 or group.instance_type is None:
                continue
            best = zones_for_machines(group.instance_type, config, context.catalog, among=group.zone_ids)
            yield Violation(
                (*group.path, "availability_zone"),
                f"{group.name} has EFA and may run in {listed(group.zone_ids)}; EFA does not cross zones",
                f"add availability_zone: {listed(best, 'or')} to {group.name}, or set efa: off",
            )
