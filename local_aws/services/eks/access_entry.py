"""Access entries and their policies: those of callers, of a cluster's creator, and of the roles of managed nodes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from local_aws.api_errors import api_error
from local_aws.clients import local_client
from local_aws.contract import Call
from local_aws.handlers.service_resource import ignore_not_found
from local_aws.registry import operation
from local_aws.services.eks.names import access_policy_arn, eks_arn, new_uuid
from local_aws.services.eks.tables import Row, find_access_entry, find_cluster, now, of_cluster
from local_aws.services.paging import listing
from local_aws.services.seed_data import seed_data

CONFIG_MAP = "CONFIG_MAP"
STANDARD, NODE_TYPE, OF_NODES = "STANDARD", "EC2_LINUX", "system:node:{{EC2PrivateDNSName}}"
CREATOR_POLICY = "AmazonEKSClusterAdminPolicy"


def takes_access_entries(cluster: Row) -> bool:
    return bool(cluster["accessConfig"]["authenticationMode"] != CONFIG_MAP)


def new_access_entry(call: Call, cluster_name: str, principal_arn: str, **members: Any) -> Row:
    """The row of an access entry; its ARN names the principal's kind, account and name."""
    account = principal_arn.split(":")[4]
    kind, *_, name = principal_arn.split(":", 5)[5].split("/")
    entry = {
        "clusterName": cluster_name,
        "principalArn": principal_arn,
        "kubernetesGroups": [],
        "accessEntryArn": eks_arn(call, "access-entry", cluster_name, kind, account, name, new_uuid()),
        "createdAt": now(),
        "modifiedAt": now(),
        "tags": {},
        **members,
    }
    of_cluster(call, "access_entries", cluster_name)[principal_arn] = entry
    return entry


def default_username(principal_arn: str) -> str:
    """The user name of a STANDARD entry: a role's sessions keep their session names."""
    kind, *_, name = principal_arn.split(":", 5)[5].split("/")
    if kind != "role":
        return principal_arn
    prefix = principal_arn.split(":", 5)
    return f"{prefix[0]}:{prefix[1]}:sts::{prefix[4]}:assumed-role/{name}/{{{{SessionName}}}}"


def admit_creator(call: Call, cluster: Row) -> None:
    """``bootstrapClusterCreatorAdminPermissions``: the caller becomes administrator of the cluster."""
    if not takes_access_entries(cluster):
        return
    # moto calls every caller a user of STS; entries are for principals of IAM.
    principal = call.client("sts").get_caller_identity()["Arn"].replace(":sts:", ":iam:")
    name = cluster["name"]
    new_access_entry(call, name, principal, username=default_username(principal), type=STANDARD)
    arn = access_policy_arn(call, CREATOR_POLICY)
    associate_policy(call, name, principal, arn, {"type": "cluster", "namespaces": []})


def associate_policy(call: Call, cluster_name: str, principal_arn: str, policy_arn: str, scope: Row) -> Row:
    """Sets the scope of a policy for a principal; a second time changes it."""
    associations = of_cluster(call, "access_policies", cluster_name).setdefault(principal_arn, {})
    created = associations.get(policy_arn, {}).get("associatedAt", now())
    associations[policy_arn] = {
        "policyArn": policy_arn,
        "accessScope": scope,
        "associatedAt": created,
        "modifiedAt": now(),
    }
    row: Row = associations[policy_arn]
    return row


def create_node_access_entry(call: Call, cluster: Row, role_arn: str) -> None:
    """A managed node group lets its role in, unless an entry is there already."""
    name = cluster["name"]
    if not takes_access_entries(cluster) or role_arn in of_cluster(call, "access_entries", name):
        return
    new_access_entry(
        call,
        name,
        role_arn,
        username=OF_NODES,
        kubernetesGroups=["system:nodes"],
        type=NODE_TYPE,
    )
    of_cluster(call, "node_role_entries", name)[role_arn] = {}


def delete_node_access_entry(call: Call, cluster_name: str, role_arn: str) -> None:
    """With the last node group of a role goes the entry that EKS made for it."""
    used = any(group["nodeRole"] == role_arn for group in list(of_cluster(call, "nodegroups", cluster_name).values()))
    made_here = of_cluster(call, "node_role_entries", cluster_name)
    if not used and role_arn in made_here:
        del made_here[role_arn]
        of_cluster(call, "access_entries", cluster_name).pop(role_arn, None)


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
        username=given.get("username", default_username(principal)) if kind == STANDARD else OF_NODES,
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
