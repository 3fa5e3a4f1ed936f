"""Lines of `status` about status checks and scheduled events of running instances."""

from __future__ import annotations

from collections.abc import Mapping

from neuron_cluster.aws.instance_status import InstanceCondition, instance_conditions
from neuron_cluster.aws.reading import NotRead, reading
from neuron_cluster.findings.text import counted, listed
from neuron_cluster.protocol.status import StatusLine, StatusQuery, error, healthy, warning

SUBJECT = "status checks"


def instance_lines(query: StatusQuery, groups: Mapping[str, str]) -> list[StatusLine]:
    """Returns the lines of instances; ``groups`` has the name of each one's group by its id. None without instances."""
    if not groups:
        return []
    found = reading("ec2", lambda: instance_conditions(query.access.target, list(groups)))
    if isinstance(found, NotRead):
        return [query.not_read(SUBJECT, found)]
    lines = [_line(query, condition, groups[condition.id]) for condition in found]
    text = f"{counted(len(groups), 'instance')} without a failed check or a scheduled event"
    return lines or [healthy(SUBJECT, text)]


def _line(query: StatusQuery, condition: InstanceCondition, group: str) -> StatusLine:
    subject = f"{group} {condition.id}"
    command = query.access.aws_command("ec2 describe-instance-status", instance_ids=condition.id)
    if condition.failed_checks:
        cause = f"{listed(condition.failed_checks)} fails"
        return error(subject, cause, command, since=condition.impaired_since)
    events = (
        f"{event.code}{f' not before {event.not_before:%Y-%m-%d %H:%M} UTC' if event.not_before else ''}"
        f"{f': {event.description}' if event.description else ''}"
        for event in condition.events
    )
    return warning(subject, f"EC2 has scheduled {listed(events)}", command)
