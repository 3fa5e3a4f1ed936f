"""Access entries of a cluster: which IAM principals may speak to its Kubernetes API."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from local_aws.api_errors import api_error
from local_aws.clients import local_client
from local_aws.seeds.principals import PRINCIPAL, existing_arn
from local_aws.service import Call, operation
from local_aws.services.eks.cluster_access import (
    default_username,
    new_access_entry,
    takes_access_entries,
)
from local_aws.services.eks.tables import Row, find_access_entry, find_cluster, now, of_cluster
from local_aws.services.paging import listing

STANDARD = "STANDARD"


@operation("eks", "CreateAccessEntry")
def create_access_entry(call: Call) -> Mapping[str, Any]:
    """EKS refuses a principal that IAM does not know; a local AWS does when it is told to.

    ``seeds.principals`` makes those that an environment names, whose accounts are empty here.
    """
    given = call.parameters
    principal = given["principalArn"]
    _require_account(call)
    cluster = cluster_with_entries(call)
    found = PRINCIPAL.fullmatch(principal)
    if found is None or (call.store.principals_must_exist and not _exists(call, found)):
        raise api_error("eks.entry_principal")
    if principal in of_cluster(call, "access_entries", cluster["name"]):
        raise api_error("eks.entry_exists")
    kind = given.get("type", STANDARD)
    entry = new_access_entry(
        call,
        cluster["name"],
        principal,
        kubernetesGroups=list(given.get("kubernetesGroups", [])) if kind == STANDARD else ["system:nodes"],
        tags=dict(given.get("tags", {})),
        username=given.get("username", default_username(principal))
        if kind == STANDARD
        else "system:node:{{EC2PrivateDNSName}}",
        type=kind,
    )
    return {"accessEntry": entry}


@operation("eks", "DescribeAccessEntry")
def describe_access_entry(call: Call) -> Mapping[str, Any]:
    return {"accessEntry": requested_entry(call)}


@operation("eks", "ListAccessEntries")
def list_access_entries(call: Call) -> Mapping[str, Any]:
    cluster = cluster_with_entries(call)
    wanted = call.parameters.get("associatedPolicyArn")
    bound = of_cluster(call, "access_policies", cluster["name"])
    principals = sorted(of_cluster(call, "access_entries", cluster["name"]))
    return listing(call, "accessEntries", [p for p in principals if wanted is None or wanted in bound.get(p, {})])


@operation("eks", "UpdateAccessEntry")
def update_access_entry(call: Call) -> Mapping[str, Any]:
    entry = standard_entry(call)
    given = {
        member: call.parameters[member] for member in ("kubernetesGroups", "username") if member in call.parameters
    }
    entry.update(given, modifiedAt=now())
    return {"accessEntry": entry}


@operation("eks", "DeleteAccessEntry")
def delete_access_entry(call: Call) -> Mapping[str, Any]:
    entry = requested_entry(call)
    for kind in ("access_entries", "access_policies", "node_role_entries"):
        of_cluster(call, kind, entry["clusterName"]).pop(entry["principalArn"], None)
    return {}


def cluster_with_entries(call: Call) -> Row:
    cluster = find_cluster(call, call.parameters["clusterName"])
    if not takes_access_entries(cluster):
        raise api_error("eks.no_access_entries")
    return cluster


def requested_entry(call: Call) -> Row:
    return find_access_entry(call, cluster_with_entries(call)["name"], call.parameters["principalArn"])


def standard_entry(call: Call) -> Row:
    entry = requested_entry(call)
    if entry["type"] != STANDARD:
        raise api_error("eks.entry_not_standard")
    return entry


def _exists(call: Call, principal: re.Match[str]) -> bool:
    """In the principal's own account, with the path that the ARN has."""
    iam = local_client("iam", call.endpoint, principal["account"], call.region)
    return existing_arn(iam, principal["kind"], principal["name"]) == principal.string


def _require_account(call: Call) -> None:
    """Machines enter from the account of the cluster only, which is judged before the cluster is looked for."""
    principal = PRINCIPAL.fullmatch(call.parameters["principalArn"])
    is_of_machines = call.parameters.get("type", STANDARD) != STANDARD
    if is_of_machines and principal is not None and principal["account"] != call.account:
        raise api_error("eks.entry_of_account")
