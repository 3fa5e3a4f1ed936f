"""Steps of a workstation at its first start: install its services, and show what is active at login."""

from __future__ import annotations

from pathlib import Path

from neuron_cluster.bootstrap.workstation_idle_limit import MINUTES_IN_USER_DATA

HOME_VOLUME_ID = "HOME_VOLUME_ID"
"""Shell variable with the id of the home volume, which only the stack has; it is set before this shell part."""

END = "END_OF_FILE"
HOME_PROGRAM = "attach-home"
NOT_CLEAR = 3
"""Its exit status for a volume that it may neither format nor mount."""

HOME_UNIT = """\
[Unit]
Description=Home directory on its own volume
Wants=network-online.target
After=network-online.target
Before=ssh.service sshd.service

[Service]
Type=oneshot
RemainAfterExit=yes
TimeoutStartSec=60min
Restart=on-failure
RestartSec=30s
RestartPreventExitStatus={not_clear}
ExecStart=/usr/local/sbin/attach-home ${{{volume}}} {user} {region}

[Install]
WantedBy=multi-user.target
"""

IDLE_UNIT = """\
[Unit]
Description=Stop this machine when it is idle

[Service]
Type=oneshot
RuntimeDirectory=neuron-cluster
RuntimeDirectoryPreserve=yes
ExecStart=/usr/local/sbin/stop-when-idle {minutes}
"""

IDLE_TIMER = """\
[Unit]
Description=Look each minute whether this machine is idle

[Timer]
OnBootSec=1min
OnUnitActiveSec=1min

[Install]
WantedBy=timers.target
"""

LOGIN = """\
if [ "$(id -un)" = {user} ] && [ -f {folder}/bin/activate ]; then
  . {folder}/bin/activate
fi
"""

UNITS = "/etc/systemd/system"
PROGRAMS = "/usr/local/sbin"
PROGRAM_FILES = Path(__file__).with_name("workstation_shell")


def boot_shell(
    *, login_user: str, region: str, virtual_environment: str | None, has_home: bool, stops_when_idle: bool
) -> str:
    """The shell part of the user data; every service that it installs starts again with the instance."""
    parts: list[str] = []
    if virtual_environment is not None:
        login = LOGIN.format(user=login_user, folder=virtual_environment)
        parts.append(_file("/etc/profile.d/neuron-cluster.sh", login))
    if stops_when_idle:
        parts += [
            _program("stop-when-idle"),
            _file(f"{UNITS}/stop-when-idle.service", IDLE_UNIT.format(minutes=MINUTES_IN_USER_DATA)),
            _file(f"{UNITS}/stop-when-idle.timer", IDLE_TIMER),
            "systemctl enable --now stop-when-idle.timer\n",
        ]
    if has_home:
        unit = HOME_UNIT.format(volume=HOME_VOLUME_ID, user=login_user, region=region, not_clear=NOT_CLEAR)
        parts += [
            _program(HOME_PROGRAM),
            _file(f"{UNITS}/attach-home.service", unit, expands=True),
            # Not waited for: while a machine is replaced, its home comes some minutes later than the machine.
            "systemctl enable attach-home.service\nsystemctl start --no-block attach-home.service\n",
        ]
    return "".join(parts)


def program(name: str) -> str:
    """The text of a program that workstations run."""
    return (PROGRAM_FILES / name).read_text(encoding="utf-8")


def _program(name: str) -> str:
    path = f"{PROGRAMS}/{name}"
    return f"{_file(path, program(name))}chmod 755 {path}\n"


def _file(path: str, text: str, *, expands: bool = False) -> str:
    """Shell that writes a file, word for word unless shell variables are to be put in."""
    return f"cat > {path} <<{END if expands else repr(END)}\n{text}{END}\n"
