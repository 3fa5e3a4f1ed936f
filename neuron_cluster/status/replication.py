"""Copies of the bucket in another one: its rules, and with S3 Replication Time Control what its metrics say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta

from neuron_cluster.aws.alarms import MetricQuery, last_values
from neuron_cluster.aws.reading import NotRead, reading
from neuron_cluster.aws.replication import ReplicationRule, replication_rules
from neuron_cluster.findings.text import counted, listed
from neuron_cluster.plan.replication_plan import ReplicationPlan
from neuron_cluster.protocol.status import StatusLine, StatusQuery, error, healthy, warning

SUBJECT, QUEUE = "copies of the bucket", "replication queue"
RECENT = timedelta(minutes=15)
MINUTE = 60


def replication_lines(query: StatusQuery, bucket: str, plan: ReplicationPlan) -> Iterator[StatusLine]:
    found = reading("s3", lambda: replication_rules(query.access.target, bucket))
    if isinstance(found, NotRead):
        yield query.not_read(SUBJECT, found)
        return
    rules = [rule for rule in found if rule.is_enabled and rule.bucket == plan.bucket]
    lacking = set(plan.prefixes or ("",)) - {rule.prefix for rule in rules}
    if lacking:
        of = "" if lacking == {""} else f" below {listed(sorted(lacking))}"
        cause = f"no enabled rule copies new objects{of} to {plan.bucket}"
        yield error(SUBJECT, cause, query.toolkit_command("drift"))
    else:
        yield healthy(SUBJECT, f"{counted(len(rules), 'rule')} to {plan.bucket} enabled")
    if plan.time_control_minutes is not None and rules:
        yield from _queue(query, bucket, plan.time_control_minutes, rules)


def _queue(query: StatusQuery, bucket: str, most: int, rules: Sequence[ReplicationRule]) -> Iterator[StatusLine]:
    """Yields the delay that S3 published last; none while S3 publishes no value, as nothing is copied."""
    queries = [_metric(bucket, rule, "ReplicationLatency", "Maximum") for rule in rules]
    queries += [_metric(bucket, rule, "OperationsFailedReplication", "Sum") for rule in rules]
    found = reading("cloudwatch", lambda: last_values(query.access.target, queries, at=query.at, within=RECENT))
    if isinstance(found, NotRead):
        yield query.not_read(QUEUE, found)
        return
    latencies = [each for each in found[: len(rules)] if each is not None]
    failed = sum(each for each in found[len(rules) :] if each is not None)
    command = query.access.aws_command("s3api get-bucket-replication", bucket=bucket)
    if failed:
        cause = f"{failed:,.0f} objects were not copied in the last minute: check the role, the key and the target"
        yield error(QUEUE, cause, command)
    if not latencies:
        return
    text = f"copies are {counted(round(max(latencies) / MINUTE), 'minute')} behind"
    if max(latencies) > most * MINUTE:
        yield warning(QUEUE, f"{text}, more than the {most} of S3 Replication Time Control", command)
    elif not failed:
        yield healthy(QUEUE, text)


def _metric(bucket: str, rule: ReplicationRule, name: str, statistic: str) -> MetricQuery:
    dimensions = {"SourceBucket": bucket, "DestinationBucket": rule.bucket, "RuleId": rule.id}
    return MetricQuery("AWS/S3", name, dimensions, statistic)
