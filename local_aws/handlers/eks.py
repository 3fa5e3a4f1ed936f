"""Resource types in an EKS cluster: access entries, add-ons, node groups."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from botocore.exceptions import ClientError

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.engine.status_reasons import not_stabilized
from local_aws.handlers.eks_cluster import changed_properties
from local_aws.handlers.generic import GenericHandler
from local_aws.handlers.service_resource import present
from local_aws.handlers.shapes import call
from local_aws.resource_types.shapes import to_api


class AccessEntry(GenericHandler):
    type_name = "AWS::EKS::AccessEntry"

    def apply(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        """Takes off the policies that are not wanted and puts on those that are new or have another scope."""
        wanted = new.get("AccessPolicies", [])
        if wanted == old.get("AccessPolicies", []):
            return
        client, entry = self.client(context), self.parts(physical_id)
        bound = {each["PolicyArn"]: each for each in self.describe(context, physical_id)["AccessPolicies"]}
        for arn in set(bound) - {policy.get("PolicyArn") for policy in wanted}:
            call(client, "DisassociateAccessPolicy", {**entry, "PolicyArn": arn})
        for policy in wanted:
            if bound.get(policy.get("PolicyArn", "")) != policy:
                call(client, "AssociateAccessPolicy", {**entry, **policy})


class Addon(GenericHandler):
    type_name = "AWS::EKS::Addon"

    def apply(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:  # noqa: ARG002 - the service's answer decides
        """CloudFormation waits until a new add-on is active, and gives up on one that stays degraded."""
        row = self.row(context, physical_id)
        if not old and row["Status"] in UNHEALTHY:
            codes = ", ".join(each["Code"] for each in row["Health"]["Issues"])
            # Source:
            # https://docs.aws.amazon.com/cloudformation-cli/latest/userguide/resource-type-test-contract-errors.html
            # for the code; the words are inferred.
            status = row["Status"]
            raise not_stabilized(f"Exceeded attempts to wait: the add-on is {status} ({codes})", "NotStabilized")


VERSIONS = frozenset({"Version", "ReleaseVersion"})
FORCE = "ForceUpdateEnabled"
UNHEALTHY = ("CREATE_FAILED", "DEGRADED")
CONFIG_DEFAULTS: Mapping[str, Any] = {
    "UpdateConfig": {"MaxUnavailable": 1},
    "NodeRepairConfig": {"Enabled": False},
    "WarmPoolConfig": {"Enabled": False},
}
"""Values of settings when their property is removed. A ScalingConfig that is removed changes nothing."""


class Nodegroup(GenericHandler):
    type_name = "AWS::EKS::Nodegroup"

    def apply(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        if not old:
            self._require_active(context, physical_id)
            return
        changed = changed_properties(old, new) - {FORCE}
        if changed & VERSIONS and changed - VERSIONS:
            # Source: aws/containers-roadmap#1258
            raise _not_combined()
        client, named = self.client(context), self.parts(physical_id)
        config = _config_change(client, self._row_in_api(context, physical_id), new, changed)
        if config:
            client.update_nodegroup_config(**to_api(client, "DescribeNodegroup", named), **config)
        version = _version_change(self.row(context, physical_id), new, changed)
        if version:
            force = {"Force": new[FORCE]} if FORCE in new else {}
            answer = call(client, "UpdateNodegroupVersion", {**named, **version, **force})
            if answer["update"]["status"] == "Failed":
                self._require_active(context, physical_id)

    def _require_active(self, context: ResourceContext, physical_id: str) -> None:
        """CloudFormation waits for the nodes, and tells EKS's issues when they fail."""
        group = self._row_in_api(context, physical_id)
        if group["status"] in UNHEALTHY:
            issues = ", ".join(
                f"Issue(Code={each['code']}, Message={each['message']}, ResourceIds=[{', '.join(each['resourceIds'])}])"
                for each in group["health"]["issues"]
            )
            message = f"[{issues}] (Service: null, Status Code: 0, Request ID: null)"
            # Source: eksctl-io/eksctl#3477
            raise not_stabilized(message, "GeneralServiceException")

    def _row_in_api(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        row: dict[str, Any] = call(self.client(context), "DescribeNodegroup", self.parts(physical_id))["nodegroup"]
        return row


def _config_change(client: Any, current: Mapping[str, Any], new: Properties, changed: frozenset[str]) -> dict[str, Any]:
    """Parameters of UpdateNodegroupConfig: what changed, as a difference from what the group has now."""
    settings = {name: new.get(name, default) for name, default in CONFIG_DEFAULTS.items() if name in changed}
    if "ScalingConfig" in changed and "ScalingConfig" in new:
        settings["ScalingConfig"] = new["ScalingConfig"]
    request = to_api(client, "UpdateNodegroupConfig", settings)
    wanted = to_api(client, "CreateNodegroup", present(new, "Labels", "Taints"))
    if "Labels" in changed:
        labels = wanted.get("labels", {})
        request["labels"] = {
            "addOrUpdateLabels": {k: v for k, v in labels.items() if current["labels"].get(k) != v},
            "removeLabels": sorted(set(current["labels"]) - set(labels)),
        }
    if "Taints" in changed:
        taints = wanted.get("taints", [])
        request["taints"] = {
            "addOrUpdateTaints": [taint for taint in taints if taint not in current["taints"]],
            "removeTaints": [taint for taint in current["taints"] if _place(taint) not in map(_place, taints)],
        }
    return request


def _version_change(current: Mapping[str, Any], new: Properties, changed: frozenset[str]) -> dict[str, Any]:
    """Parameters of UpdateNodegroupVersion: those of versions and launch template that the group has not yet."""
    request = {name: str(new[name]) for name in changed & VERSIONS if name in new}
    request = {name: value for name, value in request.items() if current.get(name) != value}
    if "LaunchTemplate" in changed and "LaunchTemplate" in new:
        request["LaunchTemplate"] = new["LaunchTemplate"]
    return request


def _place(taint: Mapping[str, Any]) -> tuple[Any, Any]:
    """Kubernetes knows a taint by key and effect."""
    return taint.get("key"), taint.get("effect")


def _not_combined() -> ClientError:
    """CloudFormation's own refusal."""
    message = "Version and ReleaseVersion updates cannot be combined with other updates"
    return ClientError({"Error": {"Code": "InvalidRequest", "Message": message}}, "UpdateNodegroupVersion")
