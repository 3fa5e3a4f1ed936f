"""EKS tries a launch template before it takes it and passes EC2's refusals on. That its image exists is not tried."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from local_aws.knowledge.current import ami_type
from local_aws.launch_request import named_groups
from local_aws.service import Call, ServiceError
from local_aws.services.ec2.launch_volumes import too_small
from local_aws.services.ec2.placement_groups import require_placement_group
from local_aws.services.ec2.public_images import public_images
from local_aws.services.ec2.volumes import require_launch_volumes
from local_aws.services.eks.launch_template import TemplateVersion
from local_aws.services.eks.refusals import invalid_request
from local_aws.services.eks.tables import Row

UNFIT = "You must use a valid fully-formed launch template."


def validate_launch_template(
    call: Call, cluster: Row, template: TemplateVersion | None, subnet_ids: Sequence[str], ami_type_name: str
) -> None:
    """Raises ServiceError as EKS refuses the template for nodes of this AMI type in these subnets.

    Source: terraform-aws-modules/terraform-aws-eks#1458 has the opening words, the rest are those of EC2
    """
    if template is None:
        return
    data = template.data
    _require_groups(call, data, cluster["resourcesVpcConfig"]["vpcId"], subnet_ids)
    _require_key_pair(call, data.get("KeyName"))
    try:
        require_placement_group(call, data.get("Placement") or {})
        require_launch_volumes(data.get("BlockDeviceMappings", []))
    except ServiceError as error:
        raise invalid_request(f"{UNFIT} {error.message}") from error
    _require_root_volume(call, data, image_of(call, data, ami_type_name, cluster["version"]))


def _require_groups(call: Call, data: Mapping[str, Any], vpc_id: str, subnet_ids: Sequence[str]) -> None:
    """Groups that there are, in the network of the cluster.

    Source: terraform-aws-modules/terraform-aws-eks#1458 has the opening words, the rest are those of EC2
    """
    by_vpc = call.moto_backend("ec2").groups
    for group_id in sorted(named_groups(data) - set(by_vpc.get(vpc_id, {}))):
        if not any(group_id in groups for groups in by_vpc.values()):
            raise invalid_request(f"{UNFIT} The security group '{group_id}' does not exist")
        words = f"Security group {group_id} and subnet {subnet_ids[0]} belong to different networks."
        # Source: inferred: that EKS tries this, too; the words are those of EC2
        raise invalid_request(f"{UNFIT} {words}")


def _require_key_pair(call: Call, name: str | None) -> None:
    """Source: eksctl-io/eksctl#1989 has the words, of an Auto Scaling group."""
    if name and name not in call.moto_backend("ec2").key_pairs:
        raise invalid_request(f"{UNFIT} The key pair '{name}' does not exist")


def _require_root_volume(call: Call, data: Mapping[str, Any], image_id: str | None) -> None:
    """Source: cilium/cilium#43051 has code and words."""
    image = call.moto_backend("ec2").amis.get(image_id)
    if found := too_small(image, data.get("BlockDeviceMappings", [])):
        size, snapshot, minimum = found
        words = f"Volume of size {size}GB is smaller than snapshot '{snapshot}', expect size>= {minimum}GB"
        raise invalid_request(words)


def image_of(call: Call, data: Mapping[str, Any], ami_type_name: str, kubernetes_version: str) -> str | None:
    """The template's own image, else the newest one of the AMI type; None where none is published."""
    row = ami_type(ami_type_name)
    if data.get("ImageId") or row is None or not row.is_published:
        return data.get("ImageId")
    parameter = row.ssm_parameter(kubernetes_version)
    return next((each.image_id for each in public_images(call.region) if parameter in each.parameters), None)
