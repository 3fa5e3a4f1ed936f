"""Network interface types that EC2 does not have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.ec2.network_interface import EFA, EFA_ONLY, INTERFACE_TYPES, PLAIN, interfaces_of
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class UnknownInterfaceType(ResourceRule):
    """Network interfaces have a valid type (`InterfaceType`).

    CloudFormation's resource schema accepts any string; EC2 reports a typo only at the first launch.
    """

    id = "E8102"
    operation = "ec2:CreateLaunchTemplate"
    error_code = "InvalidParameterValue"
    source = "boto/botocore 1.44.5: ec2 LaunchTemplateInstanceNetworkInterfaceSpecificationRequest InterfaceType"
    types = ("AWS::EC2::LaunchTemplate",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del look_up, catalog
        for interface in interfaces_of(resource):
            if interface.kind is not None and interface.kind not in INTERFACE_TYPES:
                yield Violation(
                    f"{interface.path}.InterfaceType",
                    f"{interface.kind} is not a valid interface type; valid types are {', '.join(INTERFACE_TYPES)}",
                    f"write {PLAIN}, {EFA} or {EFA_ONLY}",
                )
