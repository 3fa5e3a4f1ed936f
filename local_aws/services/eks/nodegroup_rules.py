"""What a managed node group may ask for: refusals of CreateNodegroup, in EKS's words where they are known."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from local_aws.knowledge.current import ami_type, limit
from local_aws.service import Call
from local_aws.services.ec2.instance_types import architectures, exists
from local_aws.services.eks.cluster_network import described_subnets
from local_aws.services.eks.launch_template import TemplateVersion
from local_aws.services.eks.refusals import invalid_parameter
from local_aws.services.eks.seed import seed
from local_aws.services.eks.tables import Row

CUSTOM_AMI = "CUSTOM"
DEFAULT_SCALING = {"minSize": 1, "maxSize": 2, "desiredSize": 2}
"""What EKS takes when nothing is said (docs.aws.amazon.com/eks/latest/APIReference/API_NodegroupScalingConfig.html)."""


REPAIR_OVERRIDE = ("nodeMonitoringCondition", "nodeUnhealthyReason", "minRepairWaitTimeMins", "repairAction")
RESERVED_PREFIXES = ("kubernetes.io/", "k8s.io/", "eks.amazonaws.com/")
NAME = re.compile(r"[0-9A-Za-z][0-9A-Za-z_-]{0,62}")


def require_name(name: str) -> None:
    """Up to 63 letters, digits, hyphens and underscores (API_CreateNodegroup.html)."""
    if not NAME.fullmatch(name):
        raise invalid_parameter(f"The nodegroup name {name} must match {NAME.pattern}")


def new_scaling(given: Mapping[str, int]) -> dict[str, int]:
    """The desired size follows the minimum when only that is said."""
    if not given:
        return dict(DEFAULT_SCALING)
    scaling = {**DEFAULT_SCALING, **given}
    if "desiredSize" not in given:
        scaling["desiredSize"] = scaling["minSize"]
    return scaling


def require_update_config(update: Mapping[str, Any] | None) -> None:
    """None where the request does not name it."""
    if update is None:
        return
    if not update:
        # Source: badmintoncryer/cdk-preflight has code and words
        raise invalid_parameter("UpdateConfig cannot be empty if set in the request.")
    if ("maxUnavailable" in update) and ("maxUnavailablePercentage" in update):
        raise invalid_parameter("Only one of maxUnavailable and maxUnavailablePercentage can be specified.")


def require_node_repair(repair: Mapping[str, Any]) -> None:
    """Each brake is a count or a percentage, and an override is whole.

    Source: https://docs.aws.amazon.com/eks/latest/APIReference/API_NodeRepairConfig.html
    """
    for brake in ("maxUnhealthyNodeThreshold", "maxParallelNodesRepaired"):
        if f"{brake}Count" in repair and f"{brake}Percentage" in repair:
            raise invalid_parameter(f"Only one of {brake}Count and {brake}Percentage can be specified.")
    for override in repair.get("nodeRepairConfigOverrides", []):
        if missing := [member for member in REPAIR_OVERRIDE if member not in override]:
            raise invalid_parameter(f"nodeRepairConfigOverrides: {', '.join(missing)} must be specified.")


def require_taints(taints: list[Mapping[str, Any]]) -> None:
    """So many at most, each once: Kubernetes knows a taint by key and effect."""
    maximum = limit("eks_node_group_taints").maximum
    if maximum is not None and len(taints) > maximum:
        # Source: https://docs.aws.amazon.com/eks/latest/userguide/node-taints-managed-node-groups.html
        raise invalid_parameter(f"A nodegroup can have at most {maximum} taints; {len(taints)} are given.")
    known = {(taint.get("key"), taint.get("effect")) for taint in taints}
    if len(known) < len(taints):
        # Source: inferred: Kubernetes knows a taint by key and effect.
        raise invalid_parameter("Taints must be unique by key and effect.")
    for taint in taints:
        _require_taint_key(taint.get("key", ""))


def _require_taint_key(key: str) -> None:
    """Kubernetes' syntax of qualified names.

    Source: badmintoncryer/cdk-preflight has code and words, as EKS answered
    """
    prefix, slash, name = key.rpartition("/")
    fits = limit("kubernetes_label_name").problem_with(name) is None
    if not fits or (slash and limit("kubernetes_label_prefix").problem_with(prefix) is not None):
        raise invalid_parameter(
            f"invalid taint spec: {key} , a qualified name must consist of alphanumeric characters, '-', '_' or '.', "
            "and must start and end with an alphanumeric character (e.g. 'MyName', or 'my.name', or '123-abc', regex "
            "used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
        )


def require_labels(labels: Mapping[str, str]) -> None:
    """Kubernetes' syntax of labels, without the prefixes that it and EKS keep for themselves.

    Source: inferred: that EKS refuses what is no label by
    https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#syntax-and-character-set
    """
    for key, value in labels.items():
        if any(prefix in key for prefix in RESERVED_PREFIXES):
            # Source: eksctl-io/eksctl#4007 has the words, kubernetes/cloud-provider-aws#242 that "containing" is meant
            raise invalid_parameter(f"Label cannot contain reserved prefixes [{', '.join(RESERVED_PREFIXES)}]")
        prefix, slash, name = key.rpartition("/")
        problem = limit("kubernetes_label_name").problem_with(name)
        if slash and problem is None:
            problem = limit("kubernetes_label_prefix").problem_with(prefix)
        if problem is not None:
            raise invalid_parameter(f"Label key {key} is not valid: it {problem}")
        problem = limit("kubernetes_label_value").problem_with(value)
        if problem is not None:
            raise invalid_parameter(f"Label value {value} of the key {key} is not valid: it {problem}")


def require_instance_types(given: Mapping[str, Any], template: TemplateVersion | None) -> None:
    """Types that there are, of the architecture that the images are made for."""
    data: Mapping[str, Any] = template.data if template is not None else {}
    names = given.get("instanceTypes") or [name for name in [data.get("InstanceType")] if name]
    if unknown := [name for name in names if not exists(name)]:
        raise invalid_parameter(f"The following supplied instance types do not exist: [{', '.join(unknown)}]")
    if data.get("ImageId") or given.get("amiType") == CUSTOM_AMI:
        return
    wanted = given.get("amiType", seed()["default_ami_type"])
    images = _architecture(wanted)
    for name in names:
        if images is not None and architectures(name) and images not in architectures(name):
            raise invalid_parameter(f"[{name}] is not a valid instance type for requested amiType {wanted}")


def _architecture(ami_type_name: str) -> str | None:
    """What the images' public parameter tells in its path; None where it tells nothing."""
    row = ami_type(ami_type_name)
    path = (row.ssm_parameter_pattern if row is not None else None) or ""
    return next((name for name in ("x86_64", "arm64") if f"/{name}/" in path), None)


def require_nodegroup_subnets(call: Call, cluster: Row, subnet_ids: list[str]) -> None:
    """They may be others than the cluster's, but not of another VPC."""
    if not subnet_ids:
        raise invalid_parameter("subnets must contain at least one subnet")
    for subnet in described_subnets(call, subnet_ids):
        if subnet["VpcId"] != cluster["resourcesVpcConfig"]["vpcId"]:
            raise invalid_parameter(
                f"Subnet {subnet['SubnetId']} does not belong to the VPC of the cluster "
                f"({cluster['resourcesVpcConfig']['vpcId']})."
            )


def require_template_fit(given: Mapping[str, Any], template: TemplateVersion | None) -> None:
    """What images ask of the launch template; what else may stand beside it or in it, the rules say."""
    if template is None:
        if given.get("amiType") == CUSTOM_AMI:
            raise invalid_parameter("AMI type CUSTOM needs a launch template with an image id.")
        return
    if template.data.get("ImageId"):
        if given.get("amiType", CUSTOM_AMI) != CUSTOM_AMI:
            raise invalid_parameter(
                "You cannot specify an AMI Type other than CUSTOM, when specifying an image id in your launch template."
            )
        if "version" in given or "releaseVersion" in given:
            raise invalid_parameter(
                "You cannot specify a kubernetes version to use when specifying an image id to use within the "
                "launch template."
            )
