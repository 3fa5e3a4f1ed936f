"""Launch templates: tags of the template stay out of its data."""

from __future__ import annotations

from typing import Any

from moto.ec2.models.launch_templates import LaunchTemplateBackend

from neuron_cluster.local_aws.operations.overrides import override


@override(LaunchTemplateBackend, "create_launch_template")
def create_launch_template(original: Any, _backend: Any, *arguments: Any) -> Any:
    """moto adds the template's own tags to those that instances will get."""
    name, description, template_data, tag_spec = arguments
    specifications = [
        each for each in template_data.get("TagSpecifications", []) if each["ResourceType"] != "launch-template"
    ]
    data = {name: value for name, value in template_data.items() if name != "TagSpecifications"}
    if specifications:
        data["TagSpecifications"] = specifications
    return original(name, description, data, tag_spec)
