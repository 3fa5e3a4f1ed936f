"""Hosts of private ECR registries.

Source: https://docs.aws.amazon.com/AmazonECR/latest/userguide/Registries.html;
https://docs.aws.amazon.com/general/latest/gr/ecr.html (names with FIPS, China).
"""

from __future__ import annotations

import re
from collections.abc import Collection

from msgspec import Struct

PRIVATE_ECR = ".dkr.ecr."
"""In the host of every private ECR registry, between account and Region. A host is judged by ``ecr_host`` alone."""

_HOST = re.compile(r"([0-9]{12})\.dkr\.ecr(-fips)?\.([a-z]{2,4}(?:-[a-z]+)+-[0-9])\.amazonaws\.com(\.cn)?")


class EcrHost(Struct, frozen=True):
    """What the host of a private ECR registry names."""

    account: str
    region: str


def private_registry(account: str, region: str) -> str:
    """Host of the ECR registry of an account in a Region (of the partition ``aws``)."""
    return f"{account}{PRIVATE_ECR}{region}.amazonaws.com"


def ecr_host(host: str, regions: Collection[str]) -> EcrHost | None:
    """Account and Region of a private ECR registry; None for every other host, however alike.

    ``regions`` are those that exist: a name of the right form in an unknown Region is no registry of AWS.
    """
    match = _HOST.fullmatch(host)
    if match is None or match[3] not in regions or bool(match[4]) != match[3].startswith("cn-"):
        return None
    return EcrHost(match[1], match[3])
