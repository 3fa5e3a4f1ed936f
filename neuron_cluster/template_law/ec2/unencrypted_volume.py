"""Volumes without encryption."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_law.base import Refusal, ResourceLaw
from neuron_cluster.template_law.look_up import LookUp
from neuron_cluster.template_law.property_tree import at, is_true, is_unknown, items
from neuron_cluster.template_law.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class UnencryptedVolume(ResourceLaw):
    """Every volume of a launch template is encrypted."""

    id = "E8110"
    operation = "ec2:CreateLaunchTemplate"
    error_code = None
    source = "https://docs.aws.amazon.com/ebs/latest/userguide/ebs-encryption.html"
    types = ("AWS::EC2::LaunchTemplate",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Refusal]:
        del look_up, catalog
        devices = items(at(resource.properties, "LaunchTemplateData", "BlockDeviceMappings"))
        for position, device in enumerate(devices):
            ebs = at(device, "Ebs")
            encrypted = at(ebs, "Encrypted")
            if ebs is not None and not is_true(encrypted) and not is_unknown(encrypted):
                yield Refusal(
                    f"LaunchTemplateData.BlockDeviceMappings[{position}].Ebs.Encrypted",
                    "is not true",
                    "set Encrypted: true",
                )
