"""The launch template of a managed node group: which version it means and what it must not say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from botocore.exceptions import ClientError
from msgspec import Struct

from local_aws.api_errors import api_error
from local_aws.service import Call

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
        raise api_error("eks.no_template", words=error.response["Error"]["Message"]) from error
    row = answer["LaunchTemplateVersions"][0]
    template = TemplateVersion(
        row["LaunchTemplateId"], row["LaunchTemplateName"], str(row["VersionNumber"]), row["LaunchTemplateData"]
    )
    require_allowed_data(template)
    return template


def require_allowed_data(template: TemplateVersion) -> None:
    """What EKS sets itself must not stand in the template."""
    if template.data.get("IamInstanceProfile"):
        raise api_error("eks.template_profile", name=template.name)
    for member in PROHIBITED:
        if template.data.get(member):
            raise api_error("eks.template_member", name=template.name, member=member)
