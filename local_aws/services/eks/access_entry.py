"""Access entries of a cluster: which IAM principals may speak to its Kubernetes API."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from local_aws.clients import local_client
from local_aws.seeds.principals import PRINCIPAL, existing_arn
from local_aws.service import Call, operation
from local_aws.services.eks.cluster_access import (
    default_username,
    new_access_entry,
    takes_access_entries,
)
from local_aws.services.eks.listing import listing
from local_aws.services.eks.refusals import in_use, invalid_parameter, invalid_request
from local_aws.services.eks.tables import Row, find_access_entry, find_cluster, now, of_cluster

STANDARD = "STANDARD"
SERVICE_LINKED = ":role/aws-service-role/"
"""In the ARN of each role that a service made for itself."""
TYPES_OF_ROLES = ("EC2_LINUX", "EC2_WINDOWS", "FARGATE_LINUX", "HYBRID_LINUX", "EC2")
"""Types of entries for machines, in the words of EKS."""
USERNAME_PREFIXES = ("system:", "eks:", "aws:", "amazon:", "iam:")
TYPES = (STANDARD, "FARGATE_LINUX", "EC2_LINUX", "EC2_WINDOWS", "EC2", "HYBRID_LINUX", "HYPERPOD_LINUX")


@operation("eks", "CreateAccessEntry")
def create_access_entry(call: Call) -> Mapping[str, Any]:
    """EKS refuses a principal that IAM does not know; a local AWS does when it is told to.

    ``seeds.principals`` makes those that an environment names, whose accounts are empty here.
    """
    given = call.parameters
    principal = given["principalArn"]
    if SERVICE_LINKED in principal:  # judged before the cluster is looked up
        raise invalid_parameter(
            "The caller is not allowed to modify access entries with a principalArn value of a Service Linked Role"
        )
    _require_form(call)
    cluster = cluster_with_entries(call)
    found = PRINCIPAL.fullmatch(principal)
    if found is None or (call.store.principals_must_exist and not _exists(call, found)):
        raise invalid_parameter("The specified principalArn is invalid: invalid principal.")
    if principal in of_cluster(call, "access_entries", cluster["name"]):
        raise in_use("The specified access entry resource is already in use on this cluster.")
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
    return {"accessEntry": asked_entry(call)}


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
    _require_names(given)
    entry.update(given, modifiedAt=now())
    return {"accessEntry": entry}


@operation("eks", "DeleteAccessEntry")
def delete_access_entry(call: Call) -> Mapping[str, Any]:
    entry = asked_entry(call)
    for kind in ("access_entries", "access_policies", "node_role_entries"):
        of_cluster(call, kind, entry["clusterName"]).pop(entry["principalArn"], None)
    return {}


def cluster_with_entries(call: Call) -> Row:
    cluster = find_cluster(call, call.parameters["clusterName"])
    if not takes_access_entries(cluster):
        raise invalid_request(
            "The cluster's authentication mode must be set to one of [API, API_AND_CONFIG_MAP] "
            "to perform this operation."
        )
    return cluster


def asked_entry(call: Call) -> Row:
    return find_access_entry(call, cluster_with_entries(call)["name"], call.parameters["principalArn"])


def standard_entry(call: Call) -> Row:
    entry = asked_entry(call)
    if entry["type"] != STANDARD:
        raise invalid_parameter('This operation can only be performed on Access Entries with a type of "STANDARD".')
    return entry


def _exists(call: Call, principal: re.Match[str]) -> bool:
    """In the principal's own account, with the path that the ARN has."""
    iam = local_client("iam", call.endpoint, principal["account"], call.region)
    return existing_arn(iam, principal["kind"], principal["name"]) == principal.string


def _require_form(call: Call) -> None:
    """What EKS refuses of a request before it looks for the cluster.

    Source: refusals of EKS that cdk-preflight recorded (badmintoncryer/cdk-preflight, rules/eks).
    """
    given = call.parameters
    kind = given.get("type", STANDARD)
    if kind not in TYPES:
        raise invalid_parameter(f"The specified type {kind} is invalid: it must be one of {', '.join(TYPES)}.")
    if kind == STANDARD:
        _require_names(given)
        return
    for member in ("kubernetesGroups", "username"):
        if given.get(member):
            raise invalid_parameter(
                f'The specified {member} is invalid: setting {member} is not allowed when the type is "{kind}"'
            )
    principal = PRINCIPAL.fullmatch(given["principalArn"])
    when = f"when using types [{', '.join(TYPES_OF_ROLES)}]"
    if principal is not None and principal["kind"] != "role":
        raise invalid_parameter(f"AccessEntry principalArn must be IAM role {when}")
    if principal is not None and principal["account"] != call.account:
        raise invalid_parameter(f"AccessEntry principalArn must be from the same account as the cluster {when}")


def _require_names(given: Mapping[str, Any]) -> None:
    for group in given.get("kubernetesGroups", []):
        if group.startswith("system:"):
            # Source: a public log of Terraform has code and words ("it cannot start with system:").
            raise invalid_parameter(
                f"The specified kubernetesGroups is invalid: The kubernetes group name {group} is invalid, "
                "it cannot start with system:"
            )
    for prefix in USERNAME_PREFIXES:
        if given.get("username", "").startswith(prefix):
            # Source: https://docs.aws.amazon.com/eks/latest/userguide/creating-access-entries.html
            raise invalid_parameter(f"The username must not begin with {prefix}")
