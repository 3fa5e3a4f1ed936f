from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class AlarmTopicInAnotherRegion(Rule):
    """The SNS topic of alarms is in the environment's Region and partition (`observability.alarm_topic_arn`).

    A topic of another account is allowed, if its policy allows CloudWatch of this account to publish.

    Without this check PutMetricAlarm returns ValidationError, "Invalid region us-east-1 specified. Only us-west-2 is
    supported", and the stack rolls back.
    """

    id = "E5062"
    source = "https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutMetricAlarm.html (AlarmActions)"

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        topic = config.observability.alarm_topic_arn if config.observability is not None else None
        if topic is None:
            return
        path = ("observability", "alarm_topic_arn")
        _, partition, _, region, *_ = topic.split(":")
        known = context.catalog.regions.get(config.region)
        if region != config.region:
            yield Violation(
                path,
                f"{topic} is in {region}, but alarms in {config.region} can only notify topics of {config.region}",
                f"set a topic in {config.region}",
            )
        elif known is not None and partition != known.partition:
            yield Violation(
                path,
                f"{topic} is in the partition {partition}, but {config.region} is in {known.partition}",
                f"copy the ARN from SNS: it begins with arn:{known.partition}:",
            )
