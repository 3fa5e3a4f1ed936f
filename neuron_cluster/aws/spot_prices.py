"""Spot prices of EC2, by zone (read-only)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client

LINUX = "Linux/UNIX"


def spot_usd_hour(target: Target, instance_types: Iterable[str], at: datetime) -> dict[str, dict[str, float]]:
    """USD for an hour of each instance type at a time, by zone id; without zones that have no Spot price."""
    found: dict[str, dict[str, float]] = {}
    with translated():
        pages = client(target, "ec2").get_paginator("describe_spot_price_history")
        given = {"InstanceTypes": sorted(instance_types), "ProductDescriptions": [LINUX]}
        for page in pages.paginate(**given, StartTime=at, EndTime=at):
            for row in page["SpotPriceHistory"]:
                zone = row.get("AvailabilityZoneId") or row["AvailabilityZone"]
                found.setdefault(row["InstanceType"], {})[zone] = float(row["SpotPrice"])
    return found
