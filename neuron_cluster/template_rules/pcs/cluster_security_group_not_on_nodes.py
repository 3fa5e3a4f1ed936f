from __future__ import annotations

from typing import Any

from local_aws.cloudformation.values import UNKNOWN
from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.ec2.network_interface import interfaces_of
from neuron_cluster.template_rules.pcs.compute_node_group import cluster_of, launch_template_of
from neuron_cluster.template_rules.property_tree import at, is_unknown, items
from neuron_cluster.template_rules.template_resource import TemplateResource


class ClusterSecurityGroupNotOnNodes(TemplateRule):
    """A security group of the cluster is on the primary interface of its nodes (`Groups`).

    The controller and the nodes reach each other through it.

    Without this check AWS reports no error: nodes stay DOWN in Slurm.
    """

    id = "E8963"
    operation = "pcs:CreateComputeNodeGroup"
    error_code = None
    source = "boto/botocore 1.44.5: pcs Networking securityGroupIds"
    types = ("AWS::PCS::ComputeNodeGroup",)

    def check(self, context: TemplateContext) -> Violations:
        resource = context.resource
        cluster, template = cluster_of(resource, context.look_up), launch_template_of(resource, context.look_up)
        if cluster is None or template is None:
            return
        allowed = items(at(cluster.properties, "Networking", "SecurityGroupIds"))
        given = _groups(template)
        if not allowed or is_unknown(given) or UNKNOWN in (*allowed, *items(given)):
            return
        if not any(group in allowed for group in items(given)):
            yield Violation(
                "CustomLaunchTemplate",
                f"{template.logical_id} has none of SecurityGroupIds of the cluster on the primary interface",
                "add a group of Networking.SecurityGroupIds to Groups of the primary interface",
            )


def _groups(template: TemplateResource) -> Any:
    """Security groups of the primary interface; UNKNOWN where it is not known which one that is."""
    data = at(template.properties, "LaunchTemplateData")
    if at(data, "NetworkInterfaces") is None:
        return at(data, "SecurityGroupIds")
    primary = next((each for each in interfaces_of(template) if each.is_primary), None)
    return at(primary.properties, "Groups") if primary is not None else UNKNOWN
