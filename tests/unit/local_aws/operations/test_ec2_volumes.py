"""Volumes stand in the zone that was asked for, by name or by id."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import ClientError

Clients = Callable[[str], Any]


def test_a_zone_id_and_a_zone_name_mean_the_same_place(client: Clients) -> None:
    ec2 = client("ec2")
    zone = ec2.describe_availability_zones()["AvailabilityZones"][0]
    for asked in ({"AvailabilityZoneId": zone["ZoneId"]}, {"AvailabilityZone": zone["ZoneName"]}):
        made = ec2.create_volume(Size=8, VolumeType="gp3", **asked)["VolumeId"]
        (volume,) = ec2.describe_volumes(VolumeIds=[made])["Volumes"]
        assert (volume["AvailabilityZone"], volume["AvailabilityZoneId"]) == (zone["ZoneName"], zone["ZoneId"])


def test_a_zone_of_another_region_is_refused(client: Clients) -> None:
    with pytest.raises(ClientError, match=r"InvalidZone\.NotFound"):
        client("ec2").create_volume(Size=8, AvailabilityZoneId="use1-az1")
