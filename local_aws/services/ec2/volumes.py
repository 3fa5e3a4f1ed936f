"""Volumes: made by zone id too, within the bounds of their type, attached where they are; the default key of EBS."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from moto.ec2.models.elastic_block_store import Volume
from moto.ec2.responses.elastic_block_store import ElasticBlockStore
from msgspec.structs import replace

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.registry import guard, operation
from local_aws.services.kms.key_states import key_error
from local_aws.services.overrides import override
from local_aws.services.preconditions import require_preconditions

GONE = ("shutting-down", "terminated")


@override(ElasticBlockStore, "create_volume")
def create_volume(original: Any, response: Any) -> Any:
    """moto knows zones by name alone."""
    zone_id = response.params.get("AvailabilityZoneId")
    if zone_id:
        zones = response.ec2_backend.describe_availability_zones()
        named = next(zone.name for zone in zones if zone.zone_id == zone_id)
        response.params = {**response.params, "AvailabilityZone": named}
    return original()


@guard("ec2", "CreateVolume")
def require_place(call: Call) -> None:
    """moto takes any name."""
    zones = call.moto_backend("ec2").describe_availability_zones()
    for member, attribute in (("AvailabilityZone", "name"), ("AvailabilityZoneId", "zone_id")):
        wanted = call.parameters.get(member)
        if wanted and wanted not in {getattr(zone, attribute) for zone in zones}:
            raise api_error("ec2.no_zone", wanted=wanted)


@guard("ec2", "ModifyVolume")
def require_growth(call: Call) -> None:
    given = call.parameters
    volume = call.moto_backend("ec2").get_volume(given["VolumeId"])
    if given.get("Size") is not None and given["Size"] < volume.size:
        raise api_error("ec2.volume_shrinks")
    had = {"Size": volume.size, "VolumeType": volume.volume_type, "Iops": volume.iops, "Throughput": volume.throughput}
    _require_bounds(call, {**had, **given})


@guard("ec2", "AttachVolume")
def require_same_zone(call: Call) -> None:
    """The volume is free and lies where the instance is, which has not ended."""
    backend = call.moto_backend("ec2")
    volume = backend.get_volume(call.parameters["VolumeId"])
    instance = backend.get_instance(call.parameters["InstanceId"])
    if instance.state in GONE:
        raise api_error("ec2.instance_not_running", instance=instance.id)
    if volume.attachment is not None and volume.attachment.instance.state not in GONE:
        raise api_error("ec2.volume_in_use", volume=volume.id)
    if volume.zone.name != instance.placement.zone:
        raise api_error("ec2.volume_zone", volume=volume.id, instance=instance.id)
    device = call.parameters["Device"]
    if device in instance.block_device_mapping:
        raise api_error("ec2.device_taken", device=device)


@guard("ec2", "DetachVolume")
def require_attachment(call: Call) -> None:
    """The volume is attached, and no running machine stands on it."""
    volume = call.moto_backend("ec2").get_volume(call.parameters["VolumeId"])
    if volume.attachment is None:
        raise api_error("ec2.volume_available", volume=volume.id)
    instance = volume.attachment.instance
    if volume.attachment.device == instance.root_device_name and instance.is_running():
        raise api_error("ec2.root_volume", volume=volume.id, instance=instance.id)


@override(ElasticBlockStore, "detach_volume")
def detach_volume(original: Any, response: Any) -> Any:
    """moto asks for the instance, which a volume that is attached once tells itself."""
    volume = response.ec2_backend.get_volume(response.params["VolumeId"])
    response.params = {"InstanceId": volume.attachment.instance.id, **response.params}
    return original()


def require_launch_volumes(call: Call, mappings: Iterable[Mapping[str, Any]]) -> None:
    """Checks that volumes of a launch are within the bounds of their types, too."""
    for ebs in (each.get("Ebs") or {} for each in mappings):
        _require_bounds(call, {**ebs, "Size": ebs.get("VolumeSize")})


def _require_bounds(call: Call, volume: Mapping[str, Any]) -> None:
    """Checks the bounds of CreateVolume."""
    require_preconditions(replace(call, service="ec2", operation="CreateVolume", parameters=volume))


# moto's answers leave it out.
Volume.availability_zone_id = property(lambda volume: volume.zone.zone_id)  # type: ignore[attr-defined]


AWS_KEY = "alias/aws/ebs"
TABLE, ROW = "ebs-encryption", "default-key"


@operation("ec2", "GetEbsDefaultKmsKeyId")
def get_default_key(call: Call) -> Mapping[str, Any]:
    return {"KmsKeyId": call.table(TABLE).get(ROW, AWS_KEY)}


@operation("ec2", "ModifyEbsDefaultKmsKeyId")
def modify_default_key(call: Call) -> Mapping[str, Any]:
    """Takes an id, ARN or alias of a key that is enabled, and tells its ARN."""
    given, kms = call.parameters["KmsKeyId"], call.moto_backend("kms")
    if error := key_error(kms, given):
        raise api_error("ec2.default_key", reason=error.message)
    found = kms.keys.get(kms.any_id_to_key_id(given))
    call.table(TABLE)[ROW] = found.arn if found is not None else given
    return get_default_key(call)


@operation("ec2", "ResetEbsDefaultKmsKeyId")
def reset_default_key(call: Call) -> Mapping[str, Any]:
    call.table(TABLE).pop(ROW, None)
    return get_default_key(call)
