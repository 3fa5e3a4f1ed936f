"""EKS add-ons: versions, create, describe, list, update, delete."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.knowledge.current import knowledge
from local_aws.registry import operation
from local_aws.services.eks.addon_health import with_health
from local_aws.services.eks.kubernetes_versions import minor
from local_aws.services.eks.names import eks_arn, new_uuid
from local_aws.services.eks.pod_identity import associate_pod_identity
from local_aws.services.eks.roles import require_named_role
from local_aws.services.eks.tables import Row, find_addon, find_cluster, now, of_cluster
from local_aws.services.eks.update import record_update
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


KUBE_PROXY = "kube-proxy"
OLDER_PROXIES = 3
UPDATE_PARAMETERS = {
    "addonVersion": "AddonVersion",
    "serviceAccountRoleArn": "ServiceAccountRoleArn",
    "resolveConflicts": "ResolveConflicts",
    "configurationValues": "ConfigurationValues",
    "podIdentityAssociations": "PodIdentityAssociations",
}
SET_BY_REQUEST = ("addonVersion", "serviceAccountRoleArn", "configurationValues")


@operation("eks", "CreateAddon")
def create_addon(call: Call) -> Mapping[str, Any]:
    given = call.parameters
    cluster = find_cluster(call, given["clusterName"])
    name = given["addonName"]
    if name not in knowledge().managed_addons:
        raise api_error("eks.addon_unsupported")
    rows = of_cluster(call, "addons", cluster["name"])
    if name in rows:
        raise api_error("eks.addon_exists")
    _require_settings(call, cluster["version"])
    addon = {
        "addonName": name,
        "clusterName": cluster["name"],
        "addonArn": eks_arn(call, "addon", cluster["name"], name, new_uuid()),
        "createdAt": now(),
        "modifiedAt": now(),
        "tags": dict(given.get("tags", {})),
        "podIdentityAssociations": [],
        "namespaceConfig": given.get("namespaceConfig", {"namespace": knowledge().managed_addons[name].namespace}),
        **{member: given[member] for member in SET_BY_REQUEST if member in given},
    }
    known = addon_versions(name, cluster["version"])
    if "addonVersion" not in addon and known:
        addon["addonVersion"] = known[0]
    _associate(call, addon, given.get("podIdentityAssociations", []))
    rows[name] = addon
    return {"addon": with_health(call, addon)}


@operation("eks", "DescribeAddon")
def describe_addon(call: Call) -> Mapping[str, Any]:
    addon = find_addon(call, call.parameters["clusterName"], call.parameters["addonName"])
    return {"addon": with_health(call, addon)}


@operation("eks", "ListAddons")
def list_addons(call: Call) -> Mapping[str, Any]:
    return listing(call, "addons", sorted(of_cluster(call, "addons", call.parameters["clusterName"])))


@operation("eks", "UpdateAddon")
def update_addon(call: Call) -> Mapping[str, Any]:
    """A role that is not named again goes (hashicorp/terraform-provider-aws#19402); other settings stay.

    Inferred: that empty configuration values are none.
    """
    given = call.parameters
    addon = find_addon(call, given["clusterName"], given["addonName"])
    _require_settings(call, find_cluster(call, given["clusterName"])["version"])
    if "podIdentityAssociations" in given:
        _associate(call, addon, given["podIdentityAssociations"])
    addon.update({member: given[member] for member in SET_BY_REQUEST if member in given}, modifiedAt=now())
    if given.get("configurationValues") == "":
        del addon["configurationValues"]
    if "serviceAccountRoleArn" not in given:
        addon.pop("serviceAccountRoleArn", None)
    reported = {name: given[member] for member, name in UPDATE_PARAMETERS.items() if member in given}
    return record_update(call, addon, "AddonUpdate", reported)


@operation("eks", "DeleteAddon")
def delete_addon(call: Call) -> Mapping[str, Any]:
    """``preserve`` would leave the software on the cluster; none runs here, so that it changes nothing."""
    addon = find_addon(call, call.parameters["clusterName"], call.parameters["addonName"])
    _associate(call, addon, [])
    del of_cluster(call, "addons", addon["clusterName"])[addon["addonName"]]
    return {"addon": {**addon, "status": "DELETING"}}


def _require_settings(call: Call, kubernetes: str) -> None:
    """Skew of the version, existence of the role, and configuration values that are JSON or YAML.

    EKS compares the version with its own list and the values with the version's schema; both are only known in
    part here, so that a well-formed version is taken, as docs/local-aws.md says.
    """
    given = call.parameters
    if given["addonName"] == KUBE_PROXY and "addonVersion" in given:
        _require_skew(given["addonVersion"], kubernetes)
    if given.get("serviceAccountRoleArn"):
        require_named_role(call, given["serviceAccountRoleArn"])
    if given.get("configurationValues"):
        try:
            values = yaml.safe_load(given["configurationValues"])
        except yaml.YAMLError as error:
            raise api_error("eks.addon_configuration", problem=error) from error
        if not isinstance(values, dict):
            raise api_error("eks.addon_configuration", problem="it is not an object")


def _require_skew(version: str, kubernetes: str) -> None:
    """kube-proxy has a version of Kubernetes: the cluster's, or so many older ones, and never a newer."""
    major, behind = version.removeprefix("v").partition(".")[0], minor(kubernetes) - minor(version)
    if major != kubernetes.partition(".")[0] or not 0 <= behind <= OLDER_PROXIES:
        raise api_error("eks.proxy_version")


def _associate(call: Call, addon: Row, wanted: Sequence[Mapping[str, str]]) -> None:
    """Makes the add-on's Pod Identity associations be those that are wanted; one that stays keeps its id."""
    _require_accounts(addon["addonName"], [each["serviceAccount"] for each in wanted])
    cluster_name = addon["clusterName"]
    rows = of_cluster(call, "pod_identity_associations", cluster_name)
    owned = {row["serviceAccount"]: row for row in list(rows.values()) if row.get("ownerArn") == addon["addonArn"]}
    kept: list[str] = []
    for each in wanted:
        account = each["serviceAccount"]
        row = owned.pop(account, None)
        if row is not None and row["roleArn"] != each["roleArn"]:
            del rows[row["associationId"]]
            row = None
        if row is None:
            namespace = addon["namespaceConfig"]["namespace"]
            members = {"namespace": namespace, **each, "ownerArn": addon["addonArn"]}
            row = associate_pod_identity(call, cluster_name, members)
        kept.append(row["associationArn"])
    for row in owned.values():
        del rows[row["associationId"]]
    addon["podIdentityAssociations"] = kept


def _require_accounts(addon_name: str, accounts: Sequence[str]) -> None:
    """Checks that the accounts are those of the add-on, where all of them are known."""
    known = knowledge().managed_addons[addon_name].service_accounts
    for account in accounts:
        if known and account not in known:
            raise api_error("eks.addon_service_account", account=account, addon=addon_name)
