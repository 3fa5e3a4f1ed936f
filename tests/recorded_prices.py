"""Prices of AWS as recorded answers, in the form that the Price List API and EC2 document."""

from __future__ import annotations

import json

from botocore.stub import Stubber

from neuron_cluster.aws.prices import price_list_target
from neuron_cluster.aws.session import AwsTarget, client, close_clients


class Recorded:
    """The clients of a Region with the answers that AWS would give, in the order of the queries."""

    def __init__(self, region: str) -> None:
        self.target = AwsTarget(region)
        self.pricing = Stubber(client(price_list_target(self.target), "pricing"))
        self.ec2 = Stubber(client(self.target, "ec2"))
        self.pricing.activate()
        self.ec2.activate()

    def instance(self, usd: float | None) -> None:
        attributes = {"locationType": "AWS Region", "regionCode": self.target.region}
        self._products([] if usd is None else [_product(attributes, usd)])

    def usages(self, *prices: tuple[str, float]) -> None:
        self._products([_product({"usagetype": f"XXX-{usage}"}, usd) for usage, usd in prices])

    def spot(self, **by_zone: float) -> None:
        rows = [
            {"InstanceType": "trn2.3xlarge", "AvailabilityZoneId": zone.replace("_", "-"), "SpotPrice": str(usd)}
            for zone, usd in by_zone.items()
        ]
        self.ec2.add_response("describe_spot_price_history", {"SpotPriceHistory": rows})

    def close(self) -> None:
        """Forgets the clients, which others would get too."""
        close_clients(self.target)
        close_clients(price_list_target(self.target))

    def _products(self, listed: list[str]) -> None:
        self.pricing.add_response("get_products", {"FormatVersion": "aws_v1", "PriceList": listed})


def _product(attributes: dict[str, str], usd: float) -> str:
    dimension = {"unit": "Hrs", "beginRange": "0", "pricePerUnit": {"USD": f"{usd:.10f}"}}
    terms = {"OnDemand": {"T": {"priceDimensions": {"T.D": dimension}}}}
    return json.dumps({"product": {"attributes": attributes}, "terms": terms})
