"""Access entries of a cluster: which IAM principals may speak to its Kubernetes API, and what they may do."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from local_aws.api_errors import api_error
from local_aws.clients import local_client
from local_aws.handlers.service_resource import ignore_not_found
from local_aws.service import Call, operation
from local_aws.services.eks.cluster_access import (
    associate_policy,
    default_username,
    new_access_entry,
    takes_access_entries,
)
from local_aws.services.eks.names import access_policy_arn
from local_aws.services.eks.tables import Row, find_access_entry, find_cluster, now, of_cluster
from local_aws.services.paging import listing
from local_aws.services.seed_data import seed_data

STANDARD = "STANDARD"
PRINCIPAL = re.compile(
    r"arn:(?P<partition>aws[\w-]*):iam::(?P<account>\d{12}):(?P<kind>role|user)(?P<path>/(?:\S+/)?)(?P<name>[^/\s]+)"
)


@operation("eks", "CreateAccessEntry")
def create_access_entry(call: Call) -> Mapping[str, Any]:
    """EKS refuses a principal that IAM does not know; a local AWS does when it is told to."""
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


def existing_arn(iam: Any, kind: str, name: str) -> str | None:
    """ARN of the role or user of this name; None when there is none. Raises ClientError for any other refusal."""
    with ignore_not_found():
        answer = iam.get_role(RoleName=name)["Role"] if kind == "role" else iam.get_user(UserName=name)["User"]
        return str(answer["Arn"])
    return None


def _require_account(call: Call) -> None:
    """Machines enter from the account of the cluster only, which is judged before the cluster is looked for."""
    principal = PRINCIPAL.fullmatch(call.parameters["principalArn"])
    is_of_machines = call.parameters.get("type", STANDARD) != STANDARD
    if is_of_machines and principal is not None and principal["account"] != call.account:
        raise api_error("eks.entry_of_account")


@operation("eks", "AssociateAccessPolicy")
def associate_access_policy(call: Call) -> Mapping[str, Any]:
    entry = standard_entry(call)
    policy = call.parameters["policyArn"]
    if policy not in [row["arn"] for row in _access_policies(call)]:
        raise api_error("eks.no_access_policy")
    scope = {"namespaces": [], **call.parameters["accessScope"]}
    association = associate_policy(call, entry["clusterName"], entry["principalArn"], policy, scope)
    return {
        "clusterName": entry["clusterName"],
        "principalArn": entry["principalArn"],
        "associatedAccessPolicy": association,
    }


@operation("eks", "DisassociateAccessPolicy")
def disassociate_access_policy(call: Call) -> Mapping[str, Any]:
    entry = requested_entry(call)
    bound = of_cluster(call, "access_policies", entry["clusterName"]).get(entry["principalArn"], {})
    if bound.pop(call.parameters["policyArn"], None) is None:
        raise api_error("eks.policy_not_associated")
    return {}


@operation("eks", "ListAssociatedAccessPolicies")
def list_associated_access_policies(call: Call) -> Mapping[str, Any]:
    entry = requested_entry(call)
    bound = of_cluster(call, "access_policies", entry["clusterName"]).get(entry["principalArn"], {})
    rows = listing(call, "associatedAccessPolicies", [bound[arn] for arn in sorted(bound)])
    return {"clusterName": entry["clusterName"], "principalArn": entry["principalArn"], **rows}


@operation("eks", "ListAccessPolicies")
def list_access_policies(call: Call) -> Mapping[str, Any]:
    return listing(call, "accessPolicies", _access_policies(call))


def _access_policies(call: Call) -> list[Row]:
    return [{"name": name, "arn": access_policy_arn(call, name)} for name in seed_data("eks")["access_policies"]]
