"""Needs of a provider that the VPC has to meet, known before there is a plan."""

from __future__ import annotations

from msgspec import Struct


class NetworkNeeds(Struct, frozen=True):
    zones_without_control_plane: tuple[str, ...] = ()
    """Availability Zone ids of the Region in which the service cannot place the interfaces of its control plane."""
    has_machines_in_other_groups: bool = False
    """Whether it starts instances without a security group of the network stack: interface endpoints must admit the
    VPC's addresses."""
    endpoint_users: tuple[str, ...] = ()
    """Names of its parts that call AWS services, as in ``required_by`` and ``used_by`` (``catalog.endpoint``)."""
