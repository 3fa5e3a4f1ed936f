"""List prices of the Price List API: of instances for all Regions at once, of other services for one."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import boto3

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import AwsTarget, LocalTarget, Target, client

PLAIN_LINUX = {
    "operatingSystem": "Linux",
    "tenancy": "Shared",
    "preInstalledSw": "NA",
    "capacitystatus": "Used",
    "marketoption": "OnDemand",
    "licenseModel": "No License required",
}
"""The attributes of an instance without additional licenses or software."""


def on_demand_usd_hour(target: Target, instance_type: str) -> dict[str, float]:
    """USD for an hour of Linux on shared tenancy, by Region; empty when no Region has a list price."""
    products = _products(target, "AmazonEC2", PLAIN_LINUX | {"instanceType": instance_type})
    return dict(sorted(pair for product in products for pair in _price(product)))


def usage_usd(target: Target, service: str, usages: Sequence[str], filters: Mapping[str, str]) -> dict[str, float]:
    """USD for the first unit of usage types of a service in the Region of the target; without those of no price.

    A usage type is given without the prefix of the Region.
    """
    products = _products(target, service, {**filters, "regionCode": target.region})
    return dict(pair for product in products for pair in _usage_price(product, usages))


def _products(target: Target, service: str, attributes: Mapping[str, str]) -> list[dict[str, Any]]:
    filters = [{"Type": "TERM_MATCH", "Field": field, "Value": value} for field, value in attributes.items()]
    with translated():
        pages = client(price_list_target(target), "pricing").get_paginator("get_products")
        answers = pages.paginate(ServiceCode=service, Filters=filters, FormatVersion="aws_v1")
        return [json.loads(text) for page in answers for text in page["PriceList"]]


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
    for dimension in _dimensions(product):
        usd = float(dimension["pricePerUnit"].get("USD", 0))
        if dimension["unit"] == "Hrs" and usd > 0:
            yield attributes["regionCode"], usd


def _usage_price(product: dict[str, Any], usages: Sequence[str]) -> Iterator[tuple[str, float]]:
    """The usage type and its price: of the first step, where it falls with the quantity."""
    given = product["product"]["attributes"].get("usagetype", "")
    for usage in usages:
        if given != usage and not given.endswith(f"-{usage}"):
            continue
        for dimension in _dimensions(product):
            usd = float(dimension["pricePerUnit"].get("USD", 0))
            if float(dimension.get("beginRange", 0)) == 0 and usd > 0:
                yield usage, usd


def _dimensions(product: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yields the price dimensions of the on-demand terms."""
    for term in product.get("terms", {}).get("OnDemand", {}).values():
        yield from term["priceDimensions"].values()
