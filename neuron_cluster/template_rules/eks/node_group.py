"""The resources that a node group references."""

from __future__ import annotations

from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at
from neuron_cluster.template_rules.template_resource import TemplateResource


def launch_template_of(node_group: TemplateResource, look_up: LookUp) -> TemplateResource | None:
    """The launch template of a node group; None when it is not in the templates."""
    return look_up.referred(at(node_group.properties, "LaunchTemplate", "Id"))
