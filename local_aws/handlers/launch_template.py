"""AWS::EC2::LaunchTemplate: every change of the data is a new version of the same template."""

from __future__ import annotations

from typing import Any

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.handlers.ec2_resource import Ec2Resource
from local_aws.handlers.names import generated_name
from local_aws.handlers.service_resource import present
from local_aws.handlers.shapes import call
from local_aws.handlers.tags import tag_list, tag_map

NAME_LIMIT = 128
VERSIONED = ("LaunchTemplateData", "VersionDescription")


class LaunchTemplate(Ec2Resource):
    type_name = "AWS::EC2::LaunchTemplate"
    tag_type = "launch-template"
    noun = "LaunchTemplate"
    id_member = "LaunchTemplateId"
    rows_member = "LaunchTemplates"
    carried = frozenset({"LaunchTemplateName", "TagSpecifications", *VERSIONED})
    required = frozenset({"LaunchTemplateData"})

    def creation(self, context: ResourceContext, properties: Properties) -> dict[str, Any]:
        name = properties.get("LaunchTemplateName") or generated_name(context, NAME_LIMIT)
        tags = {"Tags": self._own_tags(properties)}
        return {
            **present(properties, *VERSIONED),
            "LaunchTemplateName": name,
            **self.tag_specifications(context, tags),
        }

    def change(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        if any(old.get(name) != new.get(name) for name in VERSIONED):
            parameters = {"LaunchTemplateId": physical_id, **present(new, *VERSIONED)}
            call(self.client(context), "CreateLaunchTemplateVersion", parameters)
        self.change_tags(context, physical_id, {"Tags": self._own_tags(new)})

    def describe(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        row = self.row(context, physical_id)
        answer = self.client(context).describe_launch_template_versions(
            LaunchTemplateId=physical_id, Versions=["$Latest"]
        )
        latest = answer["LaunchTemplateVersions"][0]
        tags = tag_list(tag_map(row.get("Tags", [])))
        return {
            "LaunchTemplateName": row["LaunchTemplateName"],
            **present(latest, *VERSIONED),
            "TagSpecifications": [{"ResourceType": self.tag_type, "Tags": tags}] if tags else [],
        }

    def attributes(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        row = self.row(context, physical_id)
        return {
            "LaunchTemplateId": physical_id,
            "LatestVersionNumber": str(row["LatestVersionNumber"]),
            "DefaultVersionNumber": str(row["DefaultVersionNumber"]),
        }

    def _own_tags(self, properties: Properties) -> list[dict[str, str]]:
        """Tags of the template itself; EC2 refuses another resource type here, those stand in the data."""
        specifications = properties.get("TagSpecifications") or []
        return [tag for each in specifications if each["ResourceType"] == self.tag_type for tag in each.get("Tags", [])]
