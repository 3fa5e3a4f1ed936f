"""The state of an environment as `status --format json` prints it."""

from __future__ import annotations

from typing import Any

from neuron_cluster.protocol.status import StatusLine
from neuron_cluster.status.environment_status import EnvironmentStatus, worst


def status_as_data(status: EnvironmentStatus) -> dict[str, Any]:
    return {
        "environment": status.environment,
        "account": status.account,
        "region": status.region,
        "at": status.at.isoformat(timespec="seconds"),
        "verdict": status.verdict.value,
        "sections": [
            {
                "title": section.title,
                "verdict": worst(section.lines).value,
                "lines": [_line(line) for line in section.lines],
            }
            for section in status.sections
        ],
        "not_looked_at": list(status.not_looked_at),
    }


def _line(line: StatusLine) -> dict[str, Any]:
    return {
        "subject": line.subject,
        "verdict": line.verdict.value,
        "cause": line.cause,
        "command": line.command or None,
        "since": line.since.isoformat(timespec="seconds") if line.since is not None else None,
    }
