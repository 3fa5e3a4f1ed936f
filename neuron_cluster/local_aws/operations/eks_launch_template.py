"""The launch template of a managed node group: which version it means and what it must not say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from botocore.exceptions import ClientError
from msgspec import Struct

from neuron_cluster.local_aws.operations.eks_refusals import invalid_parameter, invalid_request
from neuron_cluster.local_aws.service import Call

DEFAULT_VERSION = "$Default"


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
    if ("id" in given) is ("name" in given):
        raise invalid_parameter("Either provide launch template ID or launch template name in the request.")
    key = {"LaunchTemplateId": given["id"]} if "id" in given else {"LaunchTemplateName": given["name"]}
    try:
        answer = call.client("ec2").describe_launch_template_versions(
            Versions=[given.get("version", DEFAULT_VERSION)], **key
        )
    except ClientError as error:
        raise invalid_request(error.response["Error"]["Message"]) from error
    row = answer["LaunchTemplateVersions"][0]
    template = TemplateVersion(
        row["LaunchTemplateId"], row["LaunchTemplateName"], str(row["VersionNumber"]), row["LaunchTemplateData"]
    )
    require_allowed_data(template)
    return template


def require_template_groups(call: Call, template: TemplateVersion | None) -> None:
    """EKS tries the template before it takes it; that its image and key pair exist is not looked for here.

    Source: terraform-aws-modules/terraform-aws-eks#1458 has the opening words, the rest are those of EC2
    """
    data: Mapping[str, Any] = template.data if template is not None else {}
    interfaces = data.get("NetworkInterfaces", [])
    named = {*data.get("SecurityGroupIds", []), *(group for each in interfaces for group in each.get("Groups", []))}
    known = {group_id for groups in call.moto_backend("ec2").groups.values() for group_id in groups}
    for group_id in sorted(named - known):
        words = f"The security group '{group_id}' does not exist"
        raise invalid_request(f"You must use a valid fully-formed launch template. {words}")


def require_allowed_data(template: TemplateVersion) -> None:
    """What EKS sets itself must not stand in the template.

    Source: https://docs.aws.amazon.com/eks/latest/userguide/launch-templates.html, "prohibited"
    """
    if template.data.get("IamInstanceProfile"):
        raise invalid_request(
            f"Launch template {template.name} should not specify an instance profile. "
            "The noderole in your request will be used to construct an instance profile."
        )
