"""What EKS knows by itself: add-on versions, access policies, defaults."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.services.seed_data import seed_data

ANY_VERSION = "*"


def seed() -> Mapping[str, Any]:
    return seed_data("eks")


def addon_versions(name: str, kubernetes_version: str) -> list[str]:
    """Known versions of an add-on, newest first; empty when no source tells one."""
    versions = seed_data("eks_addons").get(name, {}).get("versions", {})
    known: list[str] = versions.get(kubernetes_version, versions.get(ANY_VERSION, []))
    return known
