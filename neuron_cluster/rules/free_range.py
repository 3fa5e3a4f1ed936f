"""A free CIDR for a VPC."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import IPv4Network
from typing import TYPE_CHECKING

from neuron_cluster.rules.special_addresses import SHARED

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


def free_range(used: Iterable[IPv4Network], catalog: Catalog) -> IPv4Network | None:
    """The first range of the largest size of 100.64.0.0/10, allowed in every VPC, that overlaps none of these."""
    taken = tuple(used)
    largest = catalog.limits["vpc_cidr_prefix"].require_minimum()
    blocks = SHARED.subnets(new_prefix=largest)
    return next((block for block in blocks if not any(block.overlaps(each) for each in taken)), None)
