"""References of a compute node group or a queue of PCS."""

from __future__ import annotations

from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at, items, text
from neuron_cluster.template_rules.template_resource import TemplateResource

CLUSTER, GROUP, QUEUE = "AWS::PCS::Cluster", "AWS::PCS::ComputeNodeGroup", "AWS::PCS::Queue"


def instance_types(group: TemplateResource) -> list[str]:
    """Names of its instance types that are known before the deploy."""
    listed = items(at(group.properties, "InstanceConfigs"))
    return [name for config in listed if (name := text(at(config, "InstanceType"))) is not None]


def launch_template_of(group: TemplateResource, look_up: LookUp) -> TemplateResource | None:
    """None when it is not in the templates."""
    return look_up.referred(at(group.properties, "CustomLaunchTemplate", "TemplateId"))


def cluster_of(part: TemplateResource, look_up: LookUp) -> TemplateResource | None:
    """The cluster of a group or queue; None when it is not in the templates."""
    return look_up.referred(at(part.properties, "ClusterId"))
