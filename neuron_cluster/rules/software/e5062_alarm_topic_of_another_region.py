"""Alarms that tell a topic in another Region."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.base import ConfigRule, Problem

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.environment import EnvironmentConfig


class AlarmTopicOfAnotherRegion(ConfigRule):
    """The topic that alarms tell lies in the environment's Region.

    A topic of another account is taken, if its policy lets CloudWatch of this account publish.

    Without it: PutMetricAlarm answers ValidationError, "Invalid region us-east-1 specified. Only us-west-2 is
    supported", and the stack rolls back.
    """

    id = "E5062"
    source = "https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutMetricAlarm.html (AlarmActions)"

    def check(self, config: EnvironmentConfig, catalog: Catalog) -> Iterator[Problem]:
        del catalog
        topic = config.observability.alarm_topic_arn if config.observability is not None else None
        if topic is None:
            return
        _, _, _, region, *_ = topic.split(":")
        if region != config.region:
            yield Problem(
                ("observability", "alarm_topic_arn"),
                f"{topic} lies in {region}, but alarms in {config.region} can tell topics of {config.region} alone",
                f"name a topic in {config.region}",
            )
