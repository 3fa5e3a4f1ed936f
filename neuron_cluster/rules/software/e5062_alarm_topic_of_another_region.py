"""Alarms that tell a topic in another Region or partition."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class AlarmTopicOfAnotherRegion(ConfigRule):
    """The topic that alarms tell lies in the environment's Region, and in its partition.

    A topic of another account is taken, if its policy lets CloudWatch of this account publish.

    Without this check PutMetricAlarm answers ValidationError, "Invalid region us-east-1 specified. Only us-west-2 is
    supported", and the stack rolls back.
    """

    id = "E5062"
    source = "https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutMetricAlarm.html (AlarmActions)"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        config = environment.config
        topic = config.observability.alarm_topic_arn if config.observability is not None else None
        if topic is None:
            return
        path = ("observability", "alarm_topic_arn")
        _, partition, _, region, *_ = topic.split(":")
        known = catalog.region(config.region)
        if region != config.region:
            yield Violation(
                path,
                f"{topic} lies in {region}, but alarms in {config.region} can tell topics of {config.region} alone",
                f"name a topic in {config.region}",
            )
        elif known is not None and partition != known.partition:
            yield Violation(
                path,
                f"{topic} names the partition {partition}; {config.region} lies in {known.partition}",
                f"write the ARN as SNS shows it: it begins with arn:{known.partition}:",
            )
