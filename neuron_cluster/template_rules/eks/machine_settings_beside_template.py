"""Disk size or remote access beside a launch template."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog

SETTINGS = {
    "DiskSize": ("Ebs.VolumeSize of BlockDeviceMappings", "Disk size must be specified within the launch template."),
    "RemoteAccess": ("KeyName", "Remote access configuration cannot be specified with a launch template."),
}
"""Each with what says it in the launch template, and EKS's answer."""


class MachineSettingsBesideTemplate(ResourceRule):
    """With a launch template, the template alone says disk size and remote access."""

    id = "E8202"
    operation = "eks:CreateNodegroup"
    error_code = "InvalidParameterException"
    source = "boto/botocore 1.44.5: eks CreateNodegroupRequest diskSize, remoteAccess"
    types = ("AWS::EKS::Nodegroup",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del look_up, catalog
        if resource.properties.get("LaunchTemplate") is None:
            return
        for name, (in_template, words) in SETTINGS.items():
            if resource.properties.get(name) is not None:
                hint = f"remove {name}, and write {in_template} in the launch template"
                yield Violation(name, "stands beside a launch template", hint, words)
