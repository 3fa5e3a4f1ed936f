"""Deliveries of logs: a delivery has the type of its destination."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.services.table import made_by


@made_by("AWS::Logs::Delivery")
def destination_type(call: Call, row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Returns the type of the destination that the request names. Raises ServiceError when there is none."""
    arn = row["deliveryDestinationArn"]
    for each in call.client("logs").describe_delivery_destinations()["deliveryDestinations"]:
        if each["arn"] == arn:
            return {"deliveryDestinationType": each["deliveryDestinationType"]}
    raise api_error("logs.delivery_destination_not_found", arn=arn)
