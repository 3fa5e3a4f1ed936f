"""Network interfaces with the same network card and device index."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.ec2.network_interface import interfaces_of
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class DuplicateDeviceIndex(ResourceRule):
    """Network interfaces on the same network card have different device indexes (`DeviceIndex`)."""

    id = "E8103"
    operation = "ec2:RunInstances"
    error_code = "InvalidParameterValue"
    source = "boto/botocore 1.44.5: ec2 InstanceNetworkInterfaceSpecification DeviceIndex, NetworkCardIndex"
    references = ("terraform-aws-modules/terraform-aws-eks#2654",)
    types = ("AWS::EC2::LaunchTemplate",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del look_up, catalog
        taken: dict[tuple[int, int], str] = {}
        for interface in interfaces_of(resource):
            if interface.card is None or interface.device is None:
                continue
            first = taken.setdefault((interface.card, interface.device), interface.path)
            if first != interface.path:
                yield Violation(
                    interface.path,
                    f"has NetworkCardIndex {interface.card} and DeviceIndex {interface.device}, as {first} has",
                    "write another NetworkCardIndex, or another DeviceIndex on the same card",
                )
