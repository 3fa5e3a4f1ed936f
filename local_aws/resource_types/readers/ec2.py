"""Instances and security groups of EC2."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from typing import Any

from local_aws.resource_types.binding import bindings
from local_aws.resource_types.reader import ResourceReader, Row, Section, Source, absence_ignored
from local_aws.resource_types.templates import found

TEMPLATE_ID, TEMPLATE_VERSION = "aws:ec2launchtemplate:id", "aws:ec2launchtemplate:version"
"""The tags by which EC2 returns what an instance was launched from."""
OF_VOLUME = ("Encrypted", "Iops", "KmsKeyId", "SnapshotId", "Throughput", "VolumeType")
INLINE_RULES = ("SecurityGroupIngress", "SecurityGroupEgress")


class InstanceReader(ResourceReader):
    type_name = "AWS::EC2::Instance"

    def sections(self, source: Source, physical_id: str, row: Row) -> Iterator[Section]:
        yield from super().sections(source, physical_id, row)
        yield Section(("BlockDeviceMappings",), functools.partial(self._block_devices, source, row))
        yield Section(("LaunchTemplate",), functools.partial(self._launch_template, source, row))

    def _launch_template(self, source: Source, row: Row) -> dict[str, Any]:
        """Returns the template from which it was launched; without the name of one that is gone."""
        tags = {tag["Key"]: tag["Value"] for tag in row.get("Tags", [])}
        if TEMPLATE_ID not in tags:
            return {}
        template = {"LaunchTemplateId": tags[TEMPLATE_ID], "Version": tags[TEMPLATE_VERSION]}
        with absence_ignored(source):
            answer = self.answer(source, "DescribeLaunchTemplates", {"LaunchTemplateIds": [tags[TEMPLATE_ID]]})
            template["LaunchTemplateName"] = answer["LaunchTemplates"][0]["LaunchTemplateName"]
        return {"LaunchTemplate": template}

    def _block_devices(self, source: Source, row: Row) -> dict[str, Any]:
        """The instance's volumes."""
        attached = {each["Ebs"]["VolumeId"]: each for each in row.get("BlockDeviceMappings", [])}
        if not attached:
            return {"BlockDeviceMappings": []}
        volumes = self.answer(source, "DescribeVolumes", {"VolumeIds": list(attached)})["Volumes"]
        return {"BlockDeviceMappings": [_block_device(volume, attached[volume["VolumeId"]]) for volume in volumes]}


def _block_device(volume: Mapping[str, Any], attached: Mapping[str, Any]) -> dict[str, Any]:
    settings = {name: volume[name] for name in OF_VOLUME if volume.get(name) is not None}
    deleted = attached["Ebs"]["DeleteOnTermination"]
    ebs = {**settings, "VolumeSize": volume["Size"], "DeleteOnTermination": deleted}
    return {"DeviceName": attached["DeviceName"], "Ebs": ebs}


class SecurityGroupReader(ResourceReader):
    type_name = "AWS::EC2::SecurityGroup"

    def to_property(self, name: str, value: Any) -> Any:
        """Inline rules have the members of the rules that are resources."""
        if name not in INLINE_RULES:
            return super().to_property(name, value)
        members = {member: path for member, path in bindings()[f"AWS::EC2::{name}"].row.items() if member != "GroupId"}
        rules = [{member: found(path, rule) for member, path in members.items()} for rule in value]
        return [{member: part for member, part in rule.items() if part is not None} for rule in rules]
