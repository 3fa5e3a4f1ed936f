"""The address range of a VPC that the environment creates."""

from __future__ import annotations

from ipaddress import IPv4Network
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from neuron_cluster.config.environment_config import EnvironmentConfig


def own_range(config: EnvironmentConfig) -> IPv4Network | None:
    """``network.cidr``; None for a VPC that exists, whose ranges are in the lock."""
    return IPv4Network(config.network.cidr) if config.network.cidr is not None else None
