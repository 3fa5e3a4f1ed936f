from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.providers.eks.config.cluster import Eks
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class ControlPlaneInTwoZones(Rule):
    """The network has two zones that EKS supports for the control plane (`network.availability_zones`).

    This also holds for a cluster whose nodes all run in one zone. A few zones (use1-az3, for example) support nodes,
    but not the network interfaces of the control plane.

    Without this check EKS rejects the cluster with InvalidParameterException, "Subnets specified must be in at least
    two different AZs", or with UnsupportedAvailabilityZoneException, which lists the supported zones.
    """

    id = "E2004"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/network-reqs.html"

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        region = context.catalog.regions.get(config.region)
        eks = config.section(Eks)
        if eks is None or region is None:
            return
        needed = context.catalog.limits["eks_control_plane_subnets"].require_minimum()
        given = dict.fromkeys(config.network.zone_ids)
        accepted = [zone_id for zone_id in given if zone_id not in region.eks_control_plane_excluded]
        if len(accepted) >= needed:
            return
        excluded = [zone_id for zone_id in given if zone_id in region.eks_control_plane_excluded]
        unsupported = f" (EKS does not support {listed(excluded)})" if excluded else ""
        others = [zone_id for zone_id in region.eks_control_plane_zone_ids if zone_id not in given]
        yield Violation(
            config.network.zones_path,
            f"the control plane can only use {listed(accepted)}{unsupported}; EKS requires {needed} zones",
            f"{config.network.way_to_add(listed(others, 'or'))}; node groups stay in their zones",
        )
