"""The launch template of a compute group: the one place that turns a ``MachinePlan`` into EC2's properties."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import aws_cdk as cdk
from aws_cdk import aws_ec2 as ec2
from constructs import Construct

from neuron_cluster.plan.compute_group_plan import ComputeGroupPlan
from neuron_cluster.plan.machine_plan import InterfacePlan, MachinePlan, SecurityGroupRole, VolumePlan
from stacks.constructs.user_data import user_data

TAGGED = ("instance", "volume", "network-interface")
METADATA_HOPS_REASON = "neuron-cluster:metadata-hops"
"""Where rule E8126 looks for the reason of a hop limit beyond 1."""

Template = ec2.CfnLaunchTemplate


class NeuronLaunchTemplate(Construct):
    """An L1 construct, because the L2 supports one interface at most and chooses images by lists that lack Trainium.

    The instance type is always set in the template: elsewhere, CDK and EKS reject the Neuron AMI type or a capacity
    block. No public address is set on an interface: EC2 rejects an automatic one on several interfaces. A subnet is set
    for an instance of a workstation: EKS chooses by itself; EC2 accepts none in addition to a template's interfaces.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        group: ComputeGroupPlan,
        *,
        security_group_ids: Mapping[SecurityGroupRole, str],
        launch_tags: Mapping[str, str],
        subnet_id: str | None = None,
        shell_variables: Mapping[str, str] | None = None,
        metadata_hops: int = 1,
        further_security_group_ids: Sequence[str] = (),
    ) -> None:
        """``shell_variables`` are set before the instance's own shell: values that only a stack has.

        ``further_security_group_ids`` are those of interfaces with an address, next to the groups of their roles.
        """
        super().__init__(scope, construct_id)
        machine = group.machine
        placement = self._placement(machine)
        self.resource = Template(
            self,
            "Resource",
            launch_template_data=Template.LaunchTemplateDataProperty(
                image_id=group.image.image,
                instance_type=machine.instance_type,
                network_interfaces=[
                    _interface(plan, security_group_ids, further_security_group_ids, subnet_id)
                    for plan in machine.interfaces
                ],
                placement=placement,
                block_device_mappings=[_root_volume(machine.require_root_volume())],
                metadata_options=Template.MetadataOptionsProperty(
                    http_tokens="required",
                    # Pods are one hop further away: only those of the host's network read the metadata, and the role.
                    http_put_response_hop_limit=metadata_hops,
                    http_endpoint="enabled",
                ),
                instance_market_options=_purchase_options(machine),
                capacity_reservation_specification=_reservation(machine),
                user_data=user_data(group.bootstrap, shell_variables or {}),
                tag_specifications=_tag_specifications(launch_tags),
            ),
        )

    def _placement(self, machine: MachinePlan) -> Template.PlacementProperty | None:
        if machine.placement_strategy is None:
            return None
        group = ec2.CfnPlacementGroup(self, "PlacementGroup", strategy=machine.placement_strategy)
        return Template.PlacementProperty(group_name=group.ref)


def accept_metadata_hops(template: ec2.CfnLaunchTemplate, reason: str) -> None:
    """Records in the template why its hop limit is more than 1, for the rule that rejects it otherwise."""
    template.cfn_options.metadata = {METADATA_HOPS_REASON: reason}


def _interface(
    plan: InterfacePlan,
    security_group_ids: Mapping[SecurityGroupRole, str],
    further_ids: Sequence[str],
    subnet_id: str | None,
) -> Template.NetworkInterfaceProperty:
    return Template.NetworkInterfaceProperty(
        network_card_index=plan.network_card_index,
        device_index=plan.device_index,
        interface_type=plan.interface_type,
        groups=[*(security_group_ids[role] for role in plan.groups), *(further_ids if plan.has_address else ())],
        subnet_id=subnet_id,
        delete_on_termination=True,
    )


def _root_volume(plan: VolumePlan) -> Template.BlockDeviceMappingProperty:
    return Template.BlockDeviceMappingProperty(
        device_name=plan.device_name,
        ebs=Template.EbsProperty(
            volume_type="gp3",
            volume_size=plan.size_gib,
            iops=plan.iops,
            throughput=plan.throughput_mibps,
            encrypted=True,
            delete_on_termination=True,
        ),
    )


def _purchase_options(machine: MachinePlan) -> Template.InstanceMarketOptionsProperty | None:
    if machine.purchase.market_type is None:
        return None
    return Template.InstanceMarketOptionsProperty(market_type=machine.purchase.market_type)


def _reservation(machine: MachinePlan) -> Template.CapacityReservationSpecificationProperty | None:
    purchase = machine.purchase
    if purchase.reservation_id is None and purchase.resource_group_arn is None:
        if purchase.reservation_preference is None:
            return None
        return Template.CapacityReservationSpecificationProperty(
            capacity_reservation_preference=purchase.reservation_preference
        )
    return Template.CapacityReservationSpecificationProperty(
        capacity_reservation_target=Template.CapacityReservationTargetProperty(
            capacity_reservation_id=purchase.reservation_id,
            capacity_reservation_resource_group_arn=purchase.resource_group_arn,
        )
    )


def _tag_specifications(tags: Mapping[str, str]) -> list[Template.TagSpecificationProperty] | None:
    """None without tags: EC2 answers ``The tags cannot be null or empty`` (aws-cloudformation/cfn-lint#975)."""
    if not tags:
        return None
    properties = [cdk.CfnTag(key=key, value=value) for key, value in sorted(tags.items())]
    return [Template.TagSpecificationProperty(resource_type=kind, tags=properties) for kind in TAGGED]
