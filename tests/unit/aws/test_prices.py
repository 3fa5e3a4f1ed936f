"""On-demand prices from the Price List API. The fixture has the form that the API documents."""

import json
from pathlib import Path

import pytest
from botocore.stub import Stubber

from neuron_cluster.aws.prices import PLAIN_LINUX, on_demand_usd_hour, price_list_target, usage_usd
from neuron_cluster.aws.session import AwsTarget, LocalTarget, client, close_clients

PRODUCTS = json.loads((Path(__file__).parents[2] / "fixtures" / "aws" / "price_list_trn1.32xlarge.json").read_text())
LOCAL = LocalTarget("us-west-2", "111122223333", "http://127.0.0.1:9")


@pytest.fixture
def stub():
    with Stubber(client(LOCAL, "pricing")) as stubber:
        yield stubber
    close_clients(LOCAL)


def test_prices_of_regions_are_read_from_all_pages_and_local_zones_are_not(stub) -> None:
    filters = [{"Type": "TERM_MATCH", "Field": field, "Value": value} for field, value in PLAIN_LINUX.items()]
    asked = {
        "ServiceCode": "AmazonEC2",
        "FormatVersion": "aws_v1",
        "Filters": [*filters, {"Type": "TERM_MATCH", "Field": "instanceType", "Value": "trn1.32xlarge"}],
    }
    first, *others = map(json.dumps, PRODUCTS)
    stub.add_response("get_products", {"FormatVersion": "aws_v1", "PriceList": [first], "NextToken": "more"}, asked)
    stub.add_response("get_products", {"FormatVersion": "aws_v1", "PriceList": others}, asked | {"NextToken": "more"})
    assert on_demand_usd_hour(LOCAL, "trn1.32xlarge") == {"us-east-1": 21.5, "us-west-2": 22.75}
    stub.assert_no_pending_responses()


def test_a_type_without_a_list_price_has_none(stub) -> None:
    stub.add_response("get_products", {"FormatVersion": "aws_v1", "PriceList": []})
    assert on_demand_usd_hour(LOCAL, "trn2.48xlarge") == {}


def product(usage: str, *steps: tuple[str, str]) -> str:
    """A product of the price list; a step is where it begins, and its price."""
    dimensions = {
        f"S.{begin}": {"unit": "Hrs", "beginRange": begin, "pricePerUnit": {"USD": usd}} for begin, usd in steps
    }
    terms = {"OnDemand": {"S": {"priceDimensions": dimensions}}}
    return json.dumps({"product": {"attributes": {"usagetype": usage}}, "terms": terms})


def test_a_usage_type_is_found_behind_the_prefix_of_the_region_and_at_its_first_step(stub) -> None:
    listed = [
        product("USW2-NatGateway-Hours", ("0", "0.0450000000")),
        product("USW2-RegionalNatGateway-Hours", ("0", "0.09")),
        product("USW2-NatGateway-Prvd-Bytes", ("0", "0.0")),
        product("NatGateway-Bytes", ("0", "0.045"), ("1024", "0.030")),
    ]
    asked = {
        "ServiceCode": "AmazonEC2",
        "FormatVersion": "aws_v1",
        "Filters": [
            {"Type": "TERM_MATCH", "Field": "productFamily", "Value": "NAT Gateway"},
            {"Type": "TERM_MATCH", "Field": "regionCode", "Value": "us-west-2"},
        ],
    }
    stub.add_response("get_products", {"FormatVersion": "aws_v1", "PriceList": listed}, asked)
    found = usage_usd(LOCAL, "AmazonEC2", ["NatGateway-Hours", "NatGateway-Bytes"], {"productFamily": "NAT Gateway"})
    assert found == {"NatGateway-Hours": 0.045, "NatGateway-Bytes": 0.045}


@pytest.mark.parametrize(("region", "served"), [("us-east-1", True), ("us-west-2", False)])
def test_the_list_is_asked_where_it_is_served(region: str, served: bool) -> None:
    assert (price_list_target(AwsTarget(region)) == AwsTarget(region)) is served
