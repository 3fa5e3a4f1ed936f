"""A launch template for Neuron instances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from constructs import Construct
from msgspec.structs import replace

from neuron_cluster.cdk.planned_machine import planned_machine
from neuron_cluster.plan.compute_group_plan import BootstrapPlan, ComputeGroupPlan, ImagePlan
from neuron_cluster.plan.machine_plan import SecurityGroupRole
from stacks.constructs.neuron_launch_template import NeuronLaunchTemplate as PlannedLaunchTemplate


class NeuronLaunchTemplate(Construct):
    """A launch template with the EFA interfaces of the instance type, IMDSv2, an encrypted root volume and the LNC.

    For instances that something other than an EKS managed node group starts: an Auto Scaling group, a fleet, a queue
    of AWS PCS, or you. ``NeuronNodeGroup`` has a launch template of its own.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        instance_type: str,
        availability_zone: str,
        security_group_ids: Sequence[str],
        efa_security_group_id: str | None = None,
        image_id: str | None = None,
        root_device_name: str | None = None,
        boot_script: str | None = None,
        tags: Mapping[str, str] | None = None,
        capacity: Mapping[str, str] | None = None,
        placement: str | None = None,
        efa: str | None = None,
        logical_nc_config: int | None = None,
        root_volume: Mapping[str, int] | None = None,
    ) -> None:
        """``image_id`` is an AMI id or ``resolve:ssm:PARAMETER``; ``boot_script`` what a shell runs at the first boot.

        Parameters from ``capacity`` on are the keys of a node group in an environment file.
        """
        super().__init__(scope, construct_id)
        spec = {
            "name": "instances",
            "instance_type": instance_type,
            "count": {"max": 1},
            "capacity": capacity,
            "placement": placement,
            "efa": efa,
            "logical_nc_config": logical_nc_config,
            "local_disks": "none",
            "root_volume": root_volume,
        }
        group = planned_machine(self, spec, [availability_zone], efa_security_group_id)
        template = PlannedLaunchTemplate(
            self,
            "LaunchTemplate",
            _with_image(group, image_id, root_device_name, boot_script),
            security_group_ids={SecurityGroupRole.EFA: efa_security_group_id or ""},
            further_security_group_ids=security_group_ids,
            launch_tags=tags or {},
        ).resource
        self.launch_template_id = template.ref
        """As a token."""
        self.latest_version_number = template.attr_latest_version_number
        """As a token."""


def _with_image(
    group: ComputeGroupPlan, image_id: str | None, root_device_name: str | None, boot_script: str | None
) -> ComputeGroupPlan:
    """Without what nodeadm reads, which only nodes of EKS have."""
    volume = group.machine.require_root_volume()
    device = root_device_name or volume.device_name
    parts = [part for part in (group.bootstrap.shell, boot_script) if part is not None]
    return replace(
        group,
        machine=replace(group.machine, root_volume=replace(volume, device_name=device)),
        image=ImagePlan(group.image.family, image=image_id),
        bootstrap=BootstrapPlan("".join(parts) or None),
    )
