"""AWS::EC2::Volume."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.handlers.ec2_resource import Ec2Resource
from local_aws.handlers.service_resource import present
from local_aws.handlers.shapes import call

MODIFIABLE = ("Iops", "Size", "Throughput", "VolumeType")


class Volume(Ec2Resource):
    type_name = "AWS::EC2::Volume"
    tag_type = "volume"
    noun = "Volume"
    id_member = "VolumeId"
    rows_member = "Volumes"
    created = frozenset({*MODIFIABLE, "AvailabilityZone", "AvailabilityZoneId", "Encrypted", "KmsKeyId", "SnapshotId"})
    carried = created | {"Tags"}

    def created_id(self, answer: Mapping[str, Any]) -> str:
        volume_id: str = answer["VolumeId"]
        return volume_id

    def change(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        if present(new, *MODIFIABLE) != present(old, *MODIFIABLE):
            call(self.client(context), "ModifyVolume", {"VolumeId": physical_id, **present(new, *MODIFIABLE)})
        self.change_tags(context, physical_id, new)
