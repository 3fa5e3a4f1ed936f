"""A network interface of a launch template, as far as it is known before the deploy."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from neuron_cluster.template_rules.property_tree import at, items, text, whole_number
from neuron_cluster.template_rules.template_resource import TemplateResource

PLAIN, EFA, EFA_ONLY = "interface", "efa", "efa-only"
INTERFACE_TYPES = (PLAIN, EFA, EFA_ONLY)


class NetworkInterface(Struct, frozen=True):
    """``card`` and ``device`` are None where they are unknown; a missing card is 0, EC2's default."""

    path: str
    properties: Any
    card: int | None
    device: int | None
    kind: str | None

    @property
    def is_efa(self) -> bool:
        return self.kind in (EFA, EFA_ONLY)

    @property
    def is_primary(self) -> bool:
        return (self.card, self.device) == (0, 0)


def interfaces_of(template: TemplateResource) -> list[NetworkInterface]:
    """The interfaces that a launch template lists, in its order."""
    path = "LaunchTemplateData.NetworkInterfaces"
    listed = items(at(template.properties, "LaunchTemplateData", "NetworkInterfaces"))
    return [_interface(f"{path}[{position}]", interface) for position, interface in enumerate(listed)]


def _interface(path: str, properties: Any) -> NetworkInterface:
    card = at(properties, "NetworkCardIndex")
    kind = at(properties, "InterfaceType")
    return NetworkInterface(
        path=path,
        properties=properties,
        card=0 if card is None else whole_number(card),
        device=whole_number(at(properties, "DeviceIndex")),
        kind=PLAIN if kind is None else text(kind),
    )
