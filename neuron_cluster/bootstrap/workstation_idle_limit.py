"""The idle limit of a workstation: set on the instance that runs, because other user data would replace it."""

from __future__ import annotations

DOCUMENT = "AWS-RunShellScript"
"""The SSM document that runs the commands, as root."""

MINUTES_IN_USER_DATA = 60
"""The limit of a new instance until the commands have run; no edit of the file changes it."""

UNIT = "stop-when-idle.service"
PROGRAM = "/usr/local/sbin/stop-when-idle"


def idle_limit_commands(minutes: int) -> list[str]:
    """Shell that gives the unit another limit. It may run before the unit is there, and as often as one likes."""
    folder = f"/etc/systemd/system/{UNIT}.d"
    lines = ("[Service]", "ExecStart=", f"ExecStart={PROGRAM} {minutes}")
    return [
        f"mkdir -p {folder}",
        f"printf '%s\\n' {' '.join(repr(line) for line in lines)} > {folder}/limit.conf",
        "systemctl daemon-reload",
    ]
