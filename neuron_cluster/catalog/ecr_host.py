"""Hosts of private ECR registries.

Source: https://docs.aws.amazon.com/AmazonECR/latest/userguide/Registries.html;
https://docs.aws.amazon.com/general/latest/gr/ecr.html (names with FIPS, China).
"""

from __future__ import annotations

import re
from collections.abc import Collection

from msgspec import Struct

PRIVATE_ECR = ".dkr.ecr."
"""In the host of every private ECR registry, between account and Region; ``ecr_host`` matches the whole host."""

_HOST = re.compile(r"([0-9]{12})\.dkr\.ecr(-fips)?\.([a-z]{2,4}(?:-[a-z]+)+-[0-9])\.amazonaws\.com(\.cn)?")


class EcrHost(Struct, frozen=True):
    """The parts of the host of a private ECR registry."""

    account: str
    region: str


def private_registry(account: str, region: str) -> str:
    """Host of the ECR registry of an account in a Region (of the partition ``aws``)."""
    return f"{account}{PRIVATE_ECR}{region}.amazonaws.com"


def ecr_host(host: str, regions: Collection[str]) -> EcrHost | None:
    """Account and Region of a private ECR registry; None for every other host.

    ``regions`` are those that exist: a host with an unknown Region is not a registry of AWS.
    """
    match = _HOST.fullmatch(host)
    if match is None or match[3] not in regions or bool(match[4]) != match[3].startswith("cn-"):
        return None
    return EcrHost(match[1], match[3])
