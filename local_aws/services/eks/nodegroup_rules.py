"""Checks of a managed node group with and without a launch template; errors have EKS's messages where known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.knowledge.current import knowledge, limit
from local_aws.services.ec2.instance_types import architectures, exists
from local_aws.services.eks.cluster_network import described_subnets
from local_aws.services.eks.tables import Row
from local_aws.services.seed_data import seed_data

if TYPE_CHECKING:
    from local_aws.services.eks.launch_template import TemplateVersion  # which imports moto's EC2

DEFAULT_SCALING = {"minSize": 1, "maxSize": 2, "desiredSize": 2}
"""Defaults of EKS (docs.aws.amazon.com/eks/latest/APIReference/API_NodegroupScalingConfig.html)."""
CAPACITY_BLOCK, SPOT = "CAPACITY_BLOCK", "spot"
BLOCK_MARKET = "capacity-block"
CUSTOM_AMI = "CUSTOM"
RESERVED_PREFIXES = ("kubernetes.io/", "k8s.io/", "eks.amazonaws.com/")


def new_scaling(given: Mapping[str, int]) -> dict[str, int]:
    """The desired size follows the minimum when only that is said."""
    if not given:
        return dict(DEFAULT_SCALING)
    scaling = {**DEFAULT_SCALING, **given}
    if "desiredSize" not in given:
        scaling["desiredSize"] = scaling["minSize"]
    return scaling


def require_scaling_order(scaling: Mapping[str, int]) -> None:
    """Checks that minimum, desired and maximum size of a new node group are in order."""
    minimum, desired, maximum = (scaling[name] for name in ("minSize", "desiredSize", "maxSize"))
    if minimum > maximum:
        raise api_error("eks.minimum_above_maximum")
    if minimum > desired:
        raise api_error("eks.minimum_above_desired")
    if desired > maximum:
        raise api_error("eks.desired_above_maximum")


def require_changed_scaling_order(scaling: Mapping[str, int]) -> None:
    """Checks the order in an update, which EKS rejects with other messages."""
    minimum, desired, maximum = (scaling[name] for name in ("minSize", "desiredSize", "maxSize"))
    if minimum > maximum:
        raise api_error("eks.minimum_above_maximum")
    if minimum > desired:
        raise api_error("eks.changed_minimum_above_desired", minimum=minimum, desired=desired)
    if desired > maximum:
        raise api_error("eks.desired_above_changed_maximum", desired=desired, maximum=maximum)


def require_unavailable(update_config: Mapping[str, Any], scaling: Mapping[str, int]) -> None:
    """So many nodes at most as the group can have."""
    if update_config.get("maxUnavailable", 1) > scaling["maxSize"]:
        raise api_error("eks.unavailable_beyond_size")


def require_taints(taints: list[Mapping[str, Any]]) -> None:
    """So many at most, each once: Kubernetes knows a taint by key and effect."""
    maximum = limit("eks_node_group_taints").maximum
    if maximum is not None and len(taints) > maximum:
        raise api_error("eks.too_many_taints", maximum=maximum, number=len(taints))
    known = {(taint.get("key"), taint.get("effect")) for taint in taints}
    if len(known) < len(taints):
        raise api_error("eks.taint_twice")
    for taint in taints:
        if _key_problem(taint.get("key", "")):
            raise api_error("eks.taint_key", key=taint.get("key", ""))


def require_labels(labels: Mapping[str, str]) -> None:
    """Kubernetes' syntax of labels, without the prefixes that it and EKS keep for themselves."""
    for key, value in labels.items():
        if any(prefix in key for prefix in RESERVED_PREFIXES):
            raise api_error("eks.label_reserved", prefixes=", ".join(RESERVED_PREFIXES))
        if problem := _key_problem(key):
            raise api_error("eks.label_key", key=key, problem=problem)
        if problem := limit("kubernetes_label_value").problem_with(value):
            raise api_error("eks.label_value", key=key, value=value, problem=problem)


def _key_problem(key: str) -> str | None:
    """Returns the fault of a qualified name of Kubernetes: a name, or a DNS name before it."""
    prefix, slash, name = key.rpartition("/")
    problem = limit("kubernetes_label_name").problem_with(name)
    return problem or (limit("kubernetes_label_prefix").problem_with(prefix) if slash else None)


def require_instance_types(given: Mapping[str, Any], template: TemplateVersion | None) -> None:
    """Types that there are, of the architecture that the images are made for."""
    data: Mapping[str, Any] = template.data if template is not None else {}
    names = given.get("instanceTypes") or [name for name in [data.get("InstanceType")] if name]
    if unknown := [name for name in names if not exists(name)]:
        raise api_error("eks.no_instance_types", names=", ".join(unknown))
    if data.get("ImageId") or given.get("amiType") == CUSTOM_AMI:
        return
    wanted = given.get("amiType", seed_data("eks")["default_ami_type"])
    images = _architecture(wanted)
    for name in names:
        if images is not None and architectures(name) and images not in architectures(name):
            raise api_error("eks.instance_type_architecture", name=name, ami_type=wanted)


def _architecture(ami_type_name: str) -> str | None:
    """The part of the path of the images' public parameter; None where it has none."""
    row = knowledge().ami_types.get(ami_type_name)
    path = (row.ssm_parameter_pattern if row is not None else None) or ""
    return next((name for name in ("x86_64", "arm64") if f"/{name}/" in path), None)


def require_nodegroup_subnets(call: Call, cluster: Row, subnet_ids: list[str]) -> None:
    """They may be others than the cluster's, but not of another VPC."""
    vpc = cluster["resourcesVpcConfig"]["vpcId"]
    for subnet in described_subnets(call, subnet_ids):
        if subnet["VpcId"] != vpc:
            raise api_error("eks.nodegroup_subnet_of_other_vpc", subnet=subnet["SubnetId"], vpc=vpc)


def require_template_fit(given: Mapping[str, Any], template: TemplateVersion | None) -> None:
    """Checks the parameters of a new node group, or the row of one that gets this version of its template."""
    if template is None:
        return
    data = template.data
    if data.get("InstanceType") and given.get("instanceTypes"):
        raise api_error("eks.instance_types_in_both")
    if any(interface.get("SubnetId") for interface in data.get("NetworkInterfaces", [])):
        raise api_error("eks.template_subnet")
    _require_purchase_option(data, given.get("capacityType", "ON_DEMAND"))


def _require_purchase_option(data: Mapping[str, Any], capacity_type: str) -> None:
    market = data.get("InstanceMarketOptions", {}).get("MarketType")
    if market == SPOT:
        raise api_error("eks.template_spot")
    if (capacity_type == CAPACITY_BLOCK) != (market == BLOCK_MARKET):
        raise api_error("eks.capacity_type_of_other_option", capacity_type=capacity_type, market=market or "none")
    if capacity_type == CAPACITY_BLOCK and not data.get("InstanceType"):
        raise api_error("eks.capacity_block_without_type")


def require_image_fit(given: Mapping[str, Any], template: TemplateVersion | None) -> None:
    """Rejects parameters of a new node group that an image in the template excludes."""
    if template is None or not template.data.get("ImageId"):
        return
    if given.get("amiType", CUSTOM_AMI) != CUSTOM_AMI:
        raise api_error("eks.ami_type_beside_image")
    if "version" in given or "releaseVersion" in given:
        raise api_error("eks.version_beside_image")
