"""Listed interfaces without a primary one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.ec2.network_interface import interfaces_of
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class NoPrimaryInterface(ResourceRule):
    """A launch template that lists network interfaces has one at network card 0, device 0.

    EC2 starts no instance without a primary interface, and its card is always 0.
    """

    id = "E8104"
    operation = "ec2:RunInstances"
    error_code = "InvalidParameterCombination"
    source = (
        "boto/botocore 1.44.5: ec2 InstanceNetworkInterfaceSpecification DeviceIndex (a primary network "
        "interface has index 0) and NetworkCardIndex"
    )
    types = ("AWS::EC2::LaunchTemplate",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del look_up, catalog
        interfaces = interfaces_of(resource)
        places_known = all(interface.card is not None and interface.device is not None for interface in interfaces)
        if interfaces and places_known and not any(interface.is_primary for interface in interfaces):
            yield Violation(
                "LaunchTemplateData.NetworkInterfaces",
                "has no interface at network card 0, device 0: the primary one",
                "write NetworkCardIndex: 0 and DeviceIndex: 0 for one of the interfaces",
                "When specifying network interfaces, you must include a device at index 0.",
            )
