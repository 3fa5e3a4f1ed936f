"""What a node group and its launch template cannot set together, or not at all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from local_aws.api_errors import api_error

if TYPE_CHECKING:
    from local_aws.services.eks.launch_template import TemplateVersion  # which imports moto's EC2

CAPACITY_BLOCK, SPOT = "CAPACITY_BLOCK", "spot"
BLOCK_MARKET = "capacity-block"
CUSTOM_AMI = "CUSTOM"


def require_template_fit(given: Mapping[str, Any], template: TemplateVersion | None) -> None:
    """Of the parameters of a new node group, or the row of one that gets this version of its template."""
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
    """What an image in the template excludes from the request for a new node group."""
    if template is None or not template.data.get("ImageId"):
        return
    if given.get("amiType", CUSTOM_AMI) != CUSTOM_AMI:
        raise api_error("eks.ami_type_beside_image")
    if "version" in given or "releaseVersion" in given:
        raise api_error("eks.version_beside_image")
