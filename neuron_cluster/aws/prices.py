"""On-Demand list prices of the Price List API, for all Regions at once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import boto3

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import AwsTarget, LocalTarget, Target, client

PLAIN_LINUX = {
    "operatingSystem": "Linux",
    "tenancy": "Shared",
    "preInstalledSw": "NA",
    "capacitystatus": "Used",
    "licenseModel": "No License required",
}
"""The attributes of an instance without additional licenses or software."""


def on_demand_usd_hour(target: Target, instance_type: str) -> dict[str, float]:
    """USD for an hour of Linux on shared tenancy, by Region; empty when no Region has a list price."""
    filters = [
        {"Type": "TERM_MATCH", "Field": field, "Value": value}
        for field, value in (PLAIN_LINUX | {"instanceType": instance_type}).items()
    ]
    with translated():
        pages = client(price_list_target(target), "pricing").get_paginator("get_products")
        answers = pages.paginate(ServiceCode="AmazonEC2", Filters=filters, FormatVersion="aws_v1")
        products = [json.loads(text) for page in answers for text in page["PriceList"]]
    return dict(sorted(pair for product in products for pair in _price(product)))


def price_list_target(target: Target) -> Target:
    """The API has endpoints in a few Regions, each with the prices of all Regions."""
    if isinstance(target, LocalTarget):
        return target
    with translated():
        served = boto3.session.Session().get_available_regions("pricing")
    return target if target.region in served else AwsTarget(served[0])


def _price(product: dict[str, Any]) -> Iterator[tuple[str, float]]:
    """Region and price; None for a Local Zone, which has its Region's code, or a price of 0."""
    attributes = product["product"]["attributes"]
    if attributes.get("locationType") != "AWS Region":
        return
    for term in product.get("terms", {}).get("OnDemand", {}).values():
        for dimension in term["priceDimensions"].values():
            usd = float(dimension["pricePerUnit"].get("USD", 0))
            if dimension["unit"] == "Hrs" and usd > 0:
                yield attributes["regionCode"], usd
