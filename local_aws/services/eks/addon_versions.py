"""DescribeAddonVersions: the add-ons of the catalog with the versions that the seed knows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.api_errors import api_error
from local_aws.knowledge.current import knowledge
from local_aws.service import Call, operation
from local_aws.services.paging import listing
from local_aws.services.seed_data import seed_data

PUBLISHER = "eks"
OWNER = "aws"
ANY_VERSION = "*"


@operation("eks", "DescribeAddonVersions")
def describe_addon_versions(call: Call) -> Mapping[str, Any]:
    given = call.parameters
    name = given.get("addonName")
    if name is not None and name not in knowledge().managed_addons:
        raise api_error("eks.addon_unsupported")
    if PUBLISHER not in (given.get("publishers") or [PUBLISHER]) or OWNER not in (given.get("owners") or [OWNER]):
        return {"addons": []}
    versions = [given["kubernetesVersion"]] if "kubernetesVersion" in given else list(knowledge().kubernetes_versions)
    rows = [_addon(each, versions) for each in knowledge().managed_addons if name in (None, each)]
    return listing(call, "addons", rows)


def _addon(name: str, kubernetes: list[str]) -> dict[str, Any]:
    """One add-on: each of its versions with the Kubernetes versions that it fits; the newest is the default."""
    fits: dict[str, list[dict[str, Any]]] = {}
    for version in kubernetes:
        for place, addon_version in enumerate(addon_versions(name, version)):
            compatibility = {"clusterVersion": version, "platformVersions": ["*"], "defaultVersion": place == 0}
            fits.setdefault(addon_version, []).append(compatibility)
    row = knowledge().managed_addons[name]
    return {
        "addonName": name,
        "publisher": PUBLISHER,
        "owner": OWNER,
        "defaultNamespace": row.namespace,
        "addonVersions": [
            {
                "addonVersion": addon_version,
                "architecture": ["amd64", "arm64"],
                "compatibilities": compatibilities,
                "requiresConfiguration": False,
                "requiresIamPermissions": row.needs_pod_identity,
            }
            for addon_version, compatibilities in fits.items()
        ],
    }


def addon_versions(name: str, kubernetes_version: str) -> list[str]:
    """Known versions of an add-on, newest first; empty when no source tells one."""
    versions = seed_data("eks_addons").get(name, {}).get("versions", {})
    known: list[str] = versions.get(kubernetes_version, versions.get(ANY_VERSION, []))
    return known
