"""What EKS Auto Mode asks of a cluster."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.api_errors import api_error
from local_aws.services.eks.cluster_access import CONFIG_MAP


def require_auto_mode_form(compute: Mapping[str, Any], mode: str) -> None:
    """Nodes of Auto Mode enter by an access entry, with a role of their own."""
    if compute.get("enabled") and mode == CONFIG_MAP:
        raise api_error("eks.auto_mode_without_entries")
    if compute.get("nodePools") and not compute.get("nodeRoleArn"):
        raise api_error("eks.node_pools_without_role")


def require_auto_mode_whole(cluster: Mapping[str, Any]) -> None:
    switches = {
        cluster["computeConfig"]["enabled"],
        cluster["kubernetesNetworkConfig"]["elasticLoadBalancing"]["enabled"],
        cluster["storageConfig"]["blockStorage"]["enabled"],
    }
    if len(switches) > 1:
        raise api_error("eks.auto_mode_in_part")
