"""The launch template of a managed node group: which version it means and what it must not say.

EKS tries it before it takes it and passes EC2's refusals on. That its image exists is not tried.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from botocore.exceptions import ClientError
from msgspec import Struct

from local_aws.api_errors import api_error
from local_aws.contract import Call, ServiceError
from local_aws.knowledge.current import knowledge
from local_aws.launch import named_groups
from local_aws.services.ec2.launch_volumes import too_small
from local_aws.services.ec2.placement_groups import require_placement_group
from local_aws.services.ec2.public_images import public_images
from local_aws.services.ec2.volumes import require_launch_volumes
from local_aws.services.eks.tables import Row

DEFAULT_VERSION = "$Default"
PROHIBITED = ("InstanceInitiatedShutdownBehavior", "HibernationOptions")


class TemplateVersion(Struct, frozen=True):
    """One version of a launch template, as EC2 tells it."""

    id: str
    name: str
    version: str
    data: Mapping[str, Any]

    def specification(self) -> dict[str, str]:
        """How DescribeNodegroup tells it: id and name, and the version as a number."""
        return {"id": self.id, "name": self.name, "version": self.version}


def find_template(call: Call, given: Mapping[str, str]) -> TemplateVersion:
    """The version that a specification means; its data is checked. Raises ServiceError as EKS refuses."""
    key = {"LaunchTemplateId": given["id"]} if "id" in given else {"LaunchTemplateName": given["name"]}
    try:
        answer = call.client("ec2").describe_launch_template_versions(
            Versions=[given.get("version", DEFAULT_VERSION)], **key
        )
    except ClientError as error:
        raise api_error("eks.no_template", message=error.response["Error"]["Message"]) from error
    row = answer["LaunchTemplateVersions"][0]
    template = TemplateVersion(
        row["LaunchTemplateId"], row["LaunchTemplateName"], str(row["VersionNumber"]), row["LaunchTemplateData"]
    )
    require_allowed_data(template)
    return template


def require_allowed_data(template: TemplateVersion) -> None:
    """Rejects a template with members that EKS sets itself."""
    if template.data.get("IamInstanceProfile"):
        raise api_error("eks.template_profile", name=template.name)
    for member in PROHIBITED:
        if template.data.get(member):
            raise api_error("eks.template_member", name=template.name, member=member)


def validate_launch_template(
    call: Call, cluster: Row, template: TemplateVersion | None, subnet_ids: Sequence[str], ami_type_name: str
) -> None:
    """Raises ServiceError as EKS refuses the template for nodes of this AMI type in these subnets."""
    if template is None:
        return
    data = template.data
    _require_groups(call, data, cluster["resourcesVpcConfig"]["vpcId"], subnet_ids)
    if data.get("KeyName") and data["KeyName"] not in call.moto_backend("ec2").key_pairs:
        raise api_error("eks.template_key_pair", name=data["KeyName"])
    try:
        require_placement_group(call, data.get("Placement") or {})
        require_launch_volumes(call, data.get("BlockDeviceMappings", []))
    except ServiceError as error:
        raise api_error("eks.template_unfit", message=error.message) from error
    _require_root_volume(call, data, image_of(call, data, ami_type_name, cluster["version"]))


def _require_groups(call: Call, data: Mapping[str, Any], vpc_id: str, subnet_ids: Sequence[str]) -> None:
    """Groups that there are, in the network of the cluster."""
    by_vpc = call.moto_backend("ec2").groups
    for group_id in sorted(named_groups(data) - set(by_vpc.get(vpc_id, {}))):
        if not any(group_id in groups for groups in by_vpc.values()):
            raise api_error("eks.template_group", group=group_id)
        raise api_error("eks.template_group_elsewhere", group=group_id, subnet=subnet_ids[0])


def _require_root_volume(call: Call, data: Mapping[str, Any], image_id: str | None) -> None:
    image = call.moto_backend("ec2").amis.get(image_id)
    if found := too_small(image, data.get("BlockDeviceMappings", [])):
        size, snapshot, minimum = found
        raise api_error("eks.template_root_volume", size=size, snapshot=snapshot, minimum=minimum)


def image_of(call: Call, data: Mapping[str, Any], ami_type_name: str, kubernetes_version: str) -> str | None:
    """The template's own image, else the newest one of the AMI type; None where none is published."""
    row = knowledge().ami_types.get(ami_type_name)
    if data.get("ImageId") or row is None or not row.is_published:
        return data.get("ImageId")
    parameter = row.ssm_parameter(kubernetes_version)
    return next((each.image_id for each in public_images(call.region) if parameter in each.parameters), None)
