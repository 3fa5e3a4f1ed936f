"""EFA-only interfaces as the primary network interface."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.ec2.network_interface import EFA, EFA_ONLY, PLAIN, interfaces_of
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class EfaOnlyAsPrimary(ResourceRule):
    """The primary network interface is not efa-only, because it requires an IP address (`InterfaceType`)."""

    id = "E8105"
    operation = "ec2:RunInstances"
    error_code = "InvalidParameterCombination"
    source = (
        "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/efa.html (an EFA-only interface cannot be "
        "the primary network interface)"
    )
    types = ("AWS::EC2::LaunchTemplate",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del look_up, catalog
        for interface in interfaces_of(resource):
            if interface.is_primary and interface.kind == EFA_ONLY:
                yield Violation(
                    f"{interface.path}.InterfaceType",
                    "the primary network interface is efa-only; it requires an IP address",
                    f"write {EFA} or {PLAIN}",
                )
