"""Node groups with a launch template that also set disk size or remote access."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog

SETTINGS = {"DiskSize": "Ebs.VolumeSize of BlockDeviceMappings", "RemoteAccess": "KeyName"}
"""The launch template's property for each."""


class DiskSizeWithLaunchTemplate(ResourceRule):
    """A node group with a launch template does not set `DiskSize` or `RemoteAccess`."""

    id = "E8202"
    operation = "eks:CreateNodegroup"
    error_code = "InvalidParameterException"
    source = "boto/botocore 1.44.5: eks CreateNodegroupRequest diskSize, remoteAccess"
    types = ("AWS::EKS::Nodegroup",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del look_up, catalog
        if resource.properties.get("LaunchTemplate") is None:
            return
        for name, in_template in SETTINGS.items():
            if resource.properties.get(name) is not None:
                hint = f"remove {name}, and write {in_template} in the launch template"
                yield Violation(name, "is set together with a launch template", hint)
