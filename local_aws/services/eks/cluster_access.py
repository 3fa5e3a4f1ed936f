"""Access entries that EKS makes by itself: for the cluster's creator and for the roles of managed nodes."""

from __future__ import annotations

from typing import Any

from local_aws.service import Call
from local_aws.services.eks.names import access_policy_arn, eks_arn, new_uuid
from local_aws.services.eks.tables import Row, now, of_cluster

CONFIG_MAP = "CONFIG_MAP"
NODE_TYPE = "EC2_LINUX"
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
    new_access_entry(call, name, principal, username=default_username(principal), type="STANDARD")
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
        username="system:node:{{EC2PrivateDNSName}}",
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
