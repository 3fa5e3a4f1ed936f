"""Volumes: made by zone id too, as EC2 does."""

from __future__ import annotations

from typing import Any

from moto.ec2.exceptions import EC2ClientError
from moto.ec2.models.elastic_block_store import Volume
from moto.ec2.responses.elastic_block_store import ElasticBlockStore

from neuron_cluster.local_aws.operations.overrides import override


@override(ElasticBlockStore, "create_volume")
def create_volume(original: Any, response: Any) -> Any:
    """moto knows zones by name alone."""
    zone_id = response.params.get("AvailabilityZoneId")
    if zone_id:
        zones = response.ec2_backend.describe_availability_zones()
        named = [zone.name for zone in zones if zone.zone_id == zone_id]
        if not named:
            raise EC2ClientError("InvalidZone.NotFound", f"The zone '{zone_id}' does not exist.")
        response.params = {**response.params, "AvailabilityZone": named[0]}
    return original()


def _zone_id(volume: Any) -> Any:
    return volume.zone.zone_id


Volume.availability_zone_id = property(_zone_id)  # type: ignore[attr-defined]  # moto's answers leave it out
