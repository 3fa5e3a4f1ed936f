"""The alarms of the plan as CloudWatch reports them."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.aws.alarms import AlarmState, alarm_states
from neuron_cluster.aws.reading import NotRead, reading
from neuron_cluster.findings.text import counted
from neuron_cluster.protocol.status import StatusLine, StatusQuery, StatusSection, error, healthy, warning

CLOUDWATCH = "cloudwatch"
OK, ALARM = "OK", "ALARM"


def alarm_section(query: StatusQuery) -> StatusSection | None:
    """None where the file has no alarms."""
    observability = query.plan.observability
    if observability is None:
        return None
    if observability.metrics != CLOUDWATCH:
        return StatusSection("Alarms", (), f"alarms of {observability.metrics} in the cluster")
    names = [f"{query.plan.name}-{alarm.name.replace('_', '-')}" for alarm in observability.alarms]
    return StatusSection("Alarms", tuple(_lines(query, names)))


def _lines(query: StatusQuery, names: list[str]) -> Iterator[StatusLine]:
    found = reading("cloudwatch", lambda: alarm_states(query.access.target, names))
    if isinstance(found, NotRead):
        yield query.not_read("alarms", found)
        return
    quiet = [name for name in names if name in found and _is_quiet(found[name])]
    for name in names:
        if name not in found:
            command = query.toolkit_command("deploy")
            yield error(name, "the alarm does not exist: no notification is sent", command)
        elif name not in quiet:
            yield _line(query, name, found[name])
    if quiet:
        yield healthy("alarms", f"{counted(len(quiet), 'alarm')} {OK}")


def _is_quiet(alarm: AlarmState) -> bool:
    return alarm.state == OK and alarm.notifies


def _line(query: StatusQuery, name: str, alarm: AlarmState) -> StatusLine:
    command = query.access.aws_command("cloudwatch describe-alarms", alarm_names=name)
    if alarm.state == ALARM:
        return error(name, f"{alarm.description} ({alarm.reason})", command, since=alarm.since)
    if not alarm.notifies:
        enable = query.access.aws_command("cloudwatch enable-alarm-actions", alarm_names=name)
        return warning(name, "its actions are disabled: no notification is sent", enable)
    cause = f"it is {alarm.state}: whether what it watches is healthy is not known"
    return warning(name, cause, command, since=alarm.since)
