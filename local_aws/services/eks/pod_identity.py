"""EKS Pod Identity: which IAM role the pods of a service account get."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.registry import operation
from local_aws.services.eks.names import eks_arn, new_id, new_uuid
from local_aws.services.eks.roles import require_pod_role
from local_aws.services.eks.tables import Row, find_pod_identity_association, now, of_cluster
from local_aws.services.paging import listing

CHANGEABLE = ("roleArn", "disableSessionTags", "targetRoleArn", "policy")
SUMMARY = ("clusterName", "namespace", "serviceAccount", "associationArn", "associationId", "ownerArn")


@operation("eks", "CreatePodIdentityAssociation")
def create_pod_identity_association(call: Call) -> Mapping[str, Any]:
    given = call.parameters
    require_untagged_sessions(given)
    members = {member: given[member] for member in CHANGEABLE if member in given}
    row = associate_pod_identity(
        call,
        given["clusterName"],
        {"namespace": given["namespace"], "serviceAccount": given["serviceAccount"], **members},
    )
    row["tags"] = dict(given.get("tags", {}))
    return {"association": row}


def require_untagged_sessions(association: Mapping[str, Any]) -> None:
    """A session policy and the tags of a session exclude each other."""
    if association.get("policy") and not association.get("disableSessionTags"):
        raise api_error("eks.tagged_sessions")


def associate_pod_identity(call: Call, cluster_name: str, members: Mapping[str, Any]) -> Row:
    """Makes an association; one service account has one at most. Add-ons make theirs with an ``ownerArn``."""
    rows = of_cluster(call, "pod_identity_associations", cluster_name)
    for row in list(rows.values()):
        if all(row[member] == members[member] for member in ("namespace", "serviceAccount")):
            raise api_error("eks.association_exists", association_id=row["associationId"])
    require_pod_role(call, members["roleArn"])
    association_id = f"a-{new_id()}"
    rows[association_id] = {
        "clusterName": cluster_name,
        "associationArn": eks_arn(call, "podidentityassociation", cluster_name, association_id),
        "associationId": association_id,
        "tags": {},
        "createdAt": now(),
        "modifiedAt": now(),
        "disableSessionTags": False,
        **members,
        **_external_id(call, members),
    }
    association: Row = rows[association_id]
    return association


@operation("eks", "DescribePodIdentityAssociation")
def describe_pod_identity_association(call: Call) -> Mapping[str, Any]:
    return {"association": _association(call)}


@operation("eks", "ListPodIdentityAssociations")
def list_pod_identity_associations(call: Call) -> Mapping[str, Any]:
    wanted = {m: call.parameters[m] for m in ("namespace", "serviceAccount") if m in call.parameters}
    rows = list(of_cluster(call, "pod_identity_associations", call.parameters["clusterName"]).values())
    found = [row for row in rows if all(row[member] == value for member, value in wanted.items())]
    return listing(call, "associations", [{m: row[m] for m in SUMMARY if m in row} for row in found])


@operation("eks", "UpdatePodIdentityAssociation")
def update_pod_identity_association(call: Call) -> Mapping[str, Any]:
    row = _association(call)
    given = {member: call.parameters[member] for member in CHANGEABLE if member in call.parameters}
    require_untagged_sessions({**row, **given})
    if "roleArn" in given:
        require_pod_role(call, given["roleArn"])
    if given.get("targetRoleArn", row.get("targetRoleArn")) != row.get("targetRoleArn"):
        row |= _external_id(call, given)
    row.update(given, modifiedAt=now())
    for member in ("targetRoleArn", "policy"):  # an empty text takes the setting away
        if row.get(member) == "":
            del row[member]
    return {"association": row}


@operation("eks", "DeletePodIdentityAssociation")
def delete_pod_identity_association(call: Call) -> Mapping[str, Any]:
    row = _association(call)
    del of_cluster(call, "pod_identity_associations", row["clusterName"])[row["associationId"]]
    return {"association": row}


def _association(call: Call) -> Row:
    return find_pod_identity_association(call, call.parameters["clusterName"], call.parameters["associationId"])


def _external_id(call: Call, members: Mapping[str, Any]) -> Row:
    """A role chain carries an external id against confused deputies."""
    if not members.get("targetRoleArn"):
        return {}
    return {"externalId": "/".join((call.region, call.account, members.get("namespace", ""), new_uuid()))}
