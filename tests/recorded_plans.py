"""Offerings of training plans as recorded answers of SageMaker, in the form that it documents."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from botocore.stub import Stubber

CALL = "search_training_plan_offerings"
START = datetime(2026, 12, 1, 11, 30, tzinfo=UTC)


def add_plans(sagemaker: Stubber, ec2: Stubber, target: str, *fees: str, zone_id: str = "use2-az3") -> None:
    """The answer to one query: an offering of a day for each fee in USD."""
    capacity = {
        "InstanceType": "ml.trn2.48xlarge",
        "InstanceCount": 1,
        "AvailabilityZone": "zone-a",
        "StartTime": START,
        "EndTime": START + timedelta(hours=24),
    }
    rows = [
        {
            "TrainingPlanOfferingId": f"tpo-{fee}",
            "TargetResources": [target],
            "UpfrontFee": fee,
            "CurrencyCode": "USD",
            "ReservedCapacityOfferings": [capacity],
        }
        for fee in fees
    ]
    sagemaker.add_response(CALL, {"TrainingPlanOfferings": rows})
    zones = {"AvailabilityZones": [{"ZoneName": "zone-a", "ZoneId": zone_id}]}
    ec2.add_response("describe_availability_zones", zones)


def add_no_plan(sagemaker: Stubber) -> None:
    """The answer to a query for which there is no capacity."""
    sagemaker.add_response(CALL, {"TrainingPlanOfferings": []})
