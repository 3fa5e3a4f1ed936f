"""Ids of Availability Zones by their names, which differ between accounts."""

from __future__ import annotations

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client


def zone_ids_by_name(target: Target) -> dict[str, str]:
    """Zone id by the name of the zone in this account. Requires ec2:DescribeAvailabilityZones."""
    with translated():
        rows = client(target, "ec2").describe_availability_zones()["AvailabilityZones"]
    return {row["ZoneName"]: row["ZoneId"] for row in rows}
