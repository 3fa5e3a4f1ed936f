from __future__ import annotations

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.instance_type import InstanceType
from neuron_cluster.config.environment_config import EnvironmentConfig
from neuron_cluster.findings.text import listed
from neuron_cluster.resolved.compute_group import ComputeGroup
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class InstanceTypeNotOfferedInZone(Rule):
    """EC2 is known to offer the instance type in the zones of a node group or workstation (`availability_zone`).

    Only a warning: EC2 adds offerings, and offerings differ between accounts.

    Without this check nodes do not start. EKS reports AsgInstanceLaunchFailures, "Your requested instance type is not
    supported in your requested Availability Zone", after half an hour.
    """

    id = "W3003"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DescribeInstanceTypeOfferings.html"
    proposes = ("availability_zone",)
    references = (
        "eksctl-io/eksctl#6461",
        "aws/aws-k8s-tester#588",
        "aws/aws-parallelcluster#1216",
        "awslabs/data-on-eks#421",
    )

    def check(self, context: RuleContext) -> Violations:
        catalog = context.catalog
        config = context.environment.config
        known = catalog.regions.zone_ids(config.region)
        for group in context.environment.compute_groups:
            if group.instance_type is None or not group.instance_type.launchable:  # rules E3001, E3018 and W3033
                continue
            if not group.instance_type.zone_ids:  # a type of SageMaker, whose zones no source lists
                continue
            offered = group.instance_type.offered_zone_ids(config.region)
            real = [zone_id for zone_id in group.zone_ids if zone_id in known]  # rule E1001
            missing = [zone_id for zone_id in real if zone_id not in offered]
            if missing:
                yield _problem(group, group.instance_type, missing, config, catalog)


def _problem(
    group: ComputeGroup, instance_type: InstanceType, missing: list[str], config: EnvironmentConfig, catalog: Catalog
) -> Violation:
    region = config.region
    offered = instance_type.offered_zone_ids(region)
    name, seen = instance_type.name, f"as seen on {instance_type.zone_ids_as_of}"
    has_zone = group.spec.availability_zone is not None
    if not offered:
        regions = [row.name for row in catalog.regions if instance_type.offered_zone_ids(row.name)]
        return Violation(
            (*group.path, "instance_type"),
            f"{name} was not offered in {region}, {seen}, but in {listed(regions)}",
            "check with `aws ec2 describe-instance-type-offerings` in your account, or use another Region or type",
            proposes=(),
        )
    in_network = [zone_id for zone_id in offered if zone_id in config.network.zone_ids]
    also = "" if in_network else f", also in {config.network.zones_key}"
    return Violation(
        (*group.path, "availability_zone" if has_zone else "instance_type"),
        f"{name} was not offered in {listed(missing)}, {seen}, but in {listed(offered)}",
        f"set availability_zone: {listed(in_network or offered, 'or')}{also}, or check with "
        "`aws ec2 describe-instance-type-offerings --location-type availability-zone-id` in your account",
    )
