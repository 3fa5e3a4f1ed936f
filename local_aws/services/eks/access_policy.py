"""Access policies: sets of Kubernetes permissions that EKS binds to access entries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.api_errors import api_error
from local_aws.service import Call, operation
from local_aws.services.eks.access_entry import requested_entry, standard_entry
from local_aws.services.eks.cluster_access import associate_policy
from local_aws.services.eks.names import access_policy_arn
from local_aws.services.eks.tables import Row, of_cluster
from local_aws.services.paging import listing
from local_aws.services.seed_data import seed_data


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
