"""Hosts of private ECR registries."""

from __future__ import annotations

PRIVATE_ECR = ".dkr.ecr."
"""In the host of every private ECR registry, between its account and its Region."""


def private_registry(account: str, region: str) -> str:
    """Host of the ECR registry of an account in a Region (of the partition ``aws``)."""
    return f"{account}{PRIVATE_ECR}{region}.amazonaws.com"
