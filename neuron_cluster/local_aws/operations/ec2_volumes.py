"""Volumes: made by zone id too, within the bounds of their type, attached where they are, never made smaller."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from moto.ec2.models.elastic_block_store import Volume
from moto.ec2.responses.elastic_block_store import ElasticBlockStore

from neuron_cluster.catalog.limit import limit
from neuron_cluster.local_aws.guards import guard
from neuron_cluster.local_aws.operations.overrides import override
from neuron_cluster.local_aws.service import Call, ServiceError

GP3 = "gp3"
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
def require_place_and_bounds(call: Call) -> None:
    """moto takes any number and, as a zone, any name."""
    zones = call.moto_backend("ec2").describe_availability_zones()
    for member, attribute in (("AvailabilityZone", "name"), ("AvailabilityZoneId", "zone_id")):
        wanted = call.parameters.get(member)
        if wanted and wanted not in {getattr(zone, attribute) for zone in zones}:
            raise ServiceError("InvalidZone.NotFound", f"The zone '{wanted}' does not exist.")
    require_bounds(call.parameters)


@guard("ec2", "ModifyVolume")
def require_growth(call: Call) -> None:
    given = call.parameters
    volume = call.moto_backend("ec2").get_volume(given["VolumeId"])
    if given.get("Size") is not None and given["Size"] < volume.size:
        raise ServiceError("InvalidParameterValue", "New size cannot be smaller than existing size")
    had = {"Size": volume.size, "VolumeType": volume.volume_type, "Iops": volume.iops, "Throughput": volume.throughput}
    require_bounds({**had, **given})


@guard("ec2", "AttachVolume")
def require_same_zone(call: Call) -> None:
    """The volume is free and lies where the instance is, which has not ended."""
    backend = call.moto_backend("ec2")
    volume = backend.get_volume(call.parameters["VolumeId"])
    instance = backend.get_instance(call.parameters["InstanceId"])
    if instance.state in GONE:
        raise ServiceError("IncorrectState", f"Instance '{instance.id}' is not 'running'.")
    if volume.attachment is not None and volume.attachment.instance.state not in GONE:
        raise ServiceError("VolumeInUse", f"{volume.id} is already attached to an instance")
    if volume.zone.name != instance.placement.zone:
        words = f"The volume '{volume.id}' is not in the same availability zone as instance '{instance.id}'"
        raise ServiceError("InvalidVolume.ZoneMismatch", words)
    device = call.parameters["Device"]
    if device in instance.block_device_mapping:
        _refuse(f"Invalid value '{device}' for unixDevice. Attachment point {device} is already in use")


@guard("ec2", "DetachVolume")
def require_attachment(call: Call) -> None:
    """The volume is attached, and no running machine stands on it."""
    volume = call.moto_backend("ec2").get_volume(call.parameters["VolumeId"])
    if volume.attachment is None:
        raise ServiceError("IncorrectState", f"Volume '{volume.id}' is in the 'available' state.")
    instance = volume.attachment.instance
    if volume.attachment.device == instance.root_device_name and instance.is_running():
        words = f"Unable to detach root volume '{volume.id}' from instance '{instance.id}'"
        raise ServiceError("OperationNotPermitted", words)


@override(ElasticBlockStore, "detach_volume")
def detach_volume(original: Any, response: Any) -> Any:
    """moto asks for the instance, which a volume that is attached once tells itself."""
    volume = response.ec2_backend.get_volume(response.params["VolumeId"])
    response.params = {"InstanceId": volume.attachment.instance.id, **response.params}
    return original()


def require_launch_volumes(mappings: Iterable[Mapping[str, Any]]) -> None:
    """Those that a launch makes keep within the bounds of their types, too."""
    for ebs in (each.get("Ebs") or {} for each in mappings):
        require_bounds({**ebs, "Size": ebs.get("VolumeSize")})


def require_bounds(wanted: Mapping[str, Any]) -> None:
    """What EC2 takes of size, IOPS and throughput, by the type of the volume."""
    size, sizes = wanted.get("Size"), limit("ebs_gp3_volume_size")
    if size is not None and sizes.minimum is not None and size < sizes.minimum:
        _refuse(f"Volume of {size}GiB is too small; minimum is {sizes.minimum}GiB.")
    if wanted.get("VolumeType") != GP3:
        return
    if size is not None and sizes.maximum is not None and size > sizes.maximum:
        _refuse(f"Volume of {size}GiB is too large for volume type {GP3}; maximum is {sizes.maximum}GiB.")
    throughput, own = wanted.get("Throughput"), limit("ebs_gp3_iops").minimum
    _require_throughput(throughput)
    if iops := wanted.get("Iops") or own:
        _require_iops(iops, size, throughput)


def _require_throughput(throughput: int | None) -> None:
    bounds = limit("ebs_gp3_throughput")
    if throughput is not None and bounds.minimum is not None and throughput < bounds.minimum:
        _refuse(f"Throughput of {throughput} MiBps is too low; minimum is {bounds.minimum} MiBps.")
    if throughput is not None and bounds.maximum is not None and throughput > bounds.maximum:
        _refuse(f"Throughput of {throughput} MiBps is too high; maximum is {bounds.maximum} MiBps.")


def _require_iops(iops: int, size: int | None, throughput: int | None) -> None:
    bounds, by_size = limit("ebs_gp3_iops"), limit("ebs_gp3_iops_per_gib").maximum
    by_throughput = limit("ebs_gp3_iops_per_mibps").minimum
    if bounds.minimum is not None and iops < bounds.minimum:
        _refuse(f"Volume iops of {iops} is too low; minimum is {bounds.minimum}.")
    if bounds.maximum is not None and iops > bounds.maximum:
        _refuse(f"Volume iops of {iops} is too high; maximum is {bounds.maximum}.")
    # The IOPS that every gp3 volume has are its own, however small it is.
    is_more = bounds.minimum is None or iops > bounds.minimum
    if is_more and size is not None and by_size is not None and iops > size * by_size:
        _refuse(f"Iops to volume size ratio of {iops / size} is too high; maximum is {by_size}.")
    if throughput and by_throughput is not None and iops < throughput * by_throughput:
        ratio, most = throughput / iops, 1 / by_throughput
        _refuse(f"Throughput (MiBps) to iops ratio of {ratio} is too high; maximum is {most} MiBps per iops.")


def _refuse(words: str) -> None:
    """Source: https://docs.aws.amazon.com/AWSEC2/latest/APIReference/errors-overview.html; EKS passes the words on."""
    raise ServiceError("InvalidParameterValue", words)


def _zone_id(volume: Any) -> Any:
    return volume.zone.zone_id


Volume.availability_zone_id = property(_zone_id)  # type: ignore[attr-defined]  # moto's answers leave it out
