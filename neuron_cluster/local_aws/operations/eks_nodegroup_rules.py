"""What a managed node group may ask for: refusals of CreateNodegroup, in EKS's words where they are known."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from neuron_cluster.local_aws.operations.eks_cluster_network import described_subnets
from neuron_cluster.local_aws.operations.eks_launch_template import TemplateVersion
from neuron_cluster.local_aws.operations.eks_refusals import invalid_parameter, invalid_request
from neuron_cluster.local_aws.operations.eks_tables import Row
from neuron_cluster.local_aws.service import Call

CAPACITY_BLOCK = "CAPACITY_BLOCK"
CUSTOM_AMI = "CUSTOM"


NAME = re.compile(r"[0-9A-Za-z][0-9A-Za-z_-]{0,62}")


def require_name(name: str) -> None:
    """Up to 63 letters, digits, hyphens and underscores (API_CreateNodegroup.html)."""
    if not NAME.fullmatch(name):
        raise invalid_parameter(f"The nodegroup name {name} must match {NAME.pattern}")


def require_scaling(scaling: Mapping[str, int]) -> None:
    """Minimum, desired and maximum in order."""
    if scaling["minSize"] > scaling["maxSize"]:
        raise invalid_parameter("minSize can't be greater than maxSize")
    if scaling["minSize"] > scaling["desiredSize"]:
        raise invalid_parameter(
            f"Minimum capacity {scaling['minSize']} can't be greater than desired size {scaling['desiredSize']}"
        )
    if scaling["desiredSize"] > scaling["maxSize"]:
        raise invalid_parameter(
            f"desired capacity {scaling['desiredSize']} can't be greater than max size {scaling['maxSize']}"
        )


def require_update_config(update: Mapping[str, Any]) -> None:
    if ("maxUnavailable" in update) and ("maxUnavailablePercentage" in update):
        raise invalid_parameter("Only one of maxUnavailable and maxUnavailablePercentage can be specified.")


def require_distinct_taints(taints: list[Mapping[str, Any]]) -> None:
    """Kubernetes knows a taint by key and effect."""
    known = {(taint.get("key"), taint.get("effect")) for taint in taints}
    if len(known) < len(taints):
        raise invalid_parameter("Taints must be unique by key and effect.")


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
    """What may stand in the request beside a launch template, and what cannot do without one."""
    if template is None:
        if given.get("capacityType") == CAPACITY_BLOCK:
            raise invalid_parameter("Capacity type CAPACITY_BLOCK needs a launch template.")
        if given.get("amiType") == CUSTOM_AMI:
            raise invalid_parameter("AMI type CUSTOM needs a launch template with an image id.")
        return
    if "diskSize" in given:
        raise invalid_parameter("Disk size must be specified within the launch template.")
    if "remoteAccess" in given:
        raise invalid_parameter("Remote access configuration cannot be specified with a launch template.")
    if given.get("instanceTypes") and template.data.get("InstanceType"):
        raise invalid_request("Cannot specify instance types in launch template and API request")
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
    _require_market(given.get("capacityType"), template)


def _require_market(capacity_type: str | None, template: TemplateVersion) -> None:
    """A capacity block is bought by the template's market type, and by no other capacity type.

    docs.aws.amazon.com/eks/latest/userguide/capacity-blocks-mng.html
    """
    market = template.data.get("InstanceMarketOptions", {}).get("MarketType")
    if (capacity_type == CAPACITY_BLOCK) is not (market == "capacity-block"):
        raise invalid_parameter(
            f"Capacity type {capacity_type or 'ON_DEMAND'} does not fit the instance market type "
            f"{market or 'none'} of launch template {template.name}."
        )
    if capacity_type == CAPACITY_BLOCK and not template.data.get("InstanceType"):
        raise invalid_parameter("Capacity type CAPACITY_BLOCK needs an instance type in the launch template.")
