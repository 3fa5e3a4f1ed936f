from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import at, is_true, is_unknown, items
from neuron_cluster.template_rules.template_resource import TemplateResource


class UnencryptedVolume(TemplateRule):
    """EBS volumes are encrypted: volumes, and those of instances and launch templates (`Encrypted`)."""

    id = "E8110"
    operation = "ec2:CreateLaunchTemplate"
    error_code = None
    source = "https://docs.aws.amazon.com/ebs/latest/userguide/ebs-encryption.html"
    types = (
        "AWS::EC2::Instance",
        "AWS::EC2::LaunchTemplate",
        "AWS::EC2::Volume",
    )

    def check(self, context: TemplateContext) -> Violations:
        for path, volume in _volumes(context.resource):
            encrypted = at(volume, "Encrypted")
            if volume is not None and not is_true(encrypted) and not is_unknown(encrypted):
                yield Violation(f"{path}Encrypted", "is not true; EBS volumes must be encrypted", "set Encrypted: true")


def _volumes(resource: TemplateResource) -> Iterator[tuple[str, Any]]:
    """Each volume with the path of its properties."""
    if resource.type_name == "AWS::EC2::Volume":
        yield "", resource.properties
        return
    within = "LaunchTemplateData." if resource.type_name == "AWS::EC2::LaunchTemplate" else ""
    data = at(resource.properties, "LaunchTemplateData") if within else resource.properties
    for position, device in enumerate(items(at(data, "BlockDeviceMappings"))):
        yield f"{within}BlockDeviceMappings[{position}].Ebs.", at(device, "Ebs")
