"""The monthly budget of an environment or of a team, and who is notified."""

from typing import Annotated

from pydantic import Field

from neuron_cluster.config.observability import TOPIC_PATTERN
from neuron_cluster.config.scalars import ClosedModel, WholeNumber

EMAIL_PATTERN = r"^[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9]([A-Za-z0-9.-]{0,253}[A-Za-z0-9])?$"

Threshold = Annotated[WholeNumber, Field(ge=1, le=1000)]


class Budget(ClosedModel):
    """A budget of AWS Budgets over what carries the tag of an environment or of a team."""

    usd_month: Annotated[WholeNumber, Field(ge=1, le=1_000_000_000)] = Field(
        description="Unblended cost of a calendar month in USD.", examples=[20_000]
    )
    thresholds: list[Threshold] = Field(
        default=[80, 100],
        description="Percentages of usd_month at which the cost so far sends a notification. Default: 80 and 100.",
        examples=[[50, 80, 100]],
    )
    forecast_thresholds: list[Threshold] = Field(
        default=[100],
        description="Percentages of usd_month at which AWS's forecast for the month sends a notification. AWS has no "
        "forecast before it has some weeks of cost. Default: 100. An empty list: none.",
        examples=[[100]],
    )
    notify: list[Annotated[str, Field(pattern=EMAIL_PATTERN)]] = Field(
        default=[], description="E-mail addresses that are notified.", examples=[["research-leads@example.com"]]
    )
    topic_arn: Annotated[str, Field(pattern=TOPIC_PATTERN)] | None = Field(
        default=None,
        description="ARN of an SNS topic of the account that is notified too. Its policy must allow sns:Publish to "
        "budgets.amazonaws.com.",
        examples=["arn:aws:sns:us-west-2:111122223333:research-cost"],
    )
