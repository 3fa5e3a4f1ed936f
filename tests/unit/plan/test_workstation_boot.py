"""The programs that a workstation runs: read by bash, and run here with stand-ins for what only a machine has."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from neuron_cluster.plan.workstation_boot import boot_shell, program

HOUR = 3600
NOBODY = {"pgrep": "exit 1", "who": "true", "find": "true", "awk": "exit 1"}
"""No session, nobody logged in, no process on a Neuron device, nothing for the processors to do."""

Stops = Callable[..., bool]


@pytest.mark.parametrize("name", ["attach-home", "stop-when-idle"])
def test_bash_can_read_every_program(name: str) -> None:
    ran = subprocess.run(["bash", "-n"], input=program(name), text=True, capture_output=True, check=False)  # noqa: S607
    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.fixture
def stops(tmp_path: Path) -> Stops:
    """``stops(idle_seconds, pgrep="exit 0")``: whether a machine that was last used then shuts itself down."""

    def run(idle_seconds: int | None, **commands: str) -> bool:
        stand_ins = {**NOBODY, "shutdown": f"touch {tmp_path}/stopped", **commands}
        for name, body in stand_ins.items():
            (tmp_path / name).write_text(f"#!/bin/bash\n{body}\n")
            (tmp_path / name).chmod(0o755)
        (tmp_path / "stop-when-idle").write_text(program("stop-when-idle"))
        used = tmp_path / "last-used"
        if idle_seconds is not None:
            used.touch()
            before = used.stat().st_mtime - idle_seconds
            os.utime(used, (before, before))
        environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "RUNTIME_DIRECTORY": str(tmp_path)}
        subprocess.run(["bash", tmp_path / "stop-when-idle", "60"], env=environment, check=True)  # noqa: S603, S607
        assert used.exists()
        return (tmp_path / "stopped").exists()

    return run


def test_an_idle_machine_stops_after_the_minutes_that_were_asked_for(stops: Stops) -> None:
    assert not stops(HOUR - 60)
    assert stops(HOUR + 60)


def test_a_machine_that_has_just_started_counts_as_used(stops: Stops) -> None:
    assert not stops(None)


@pytest.mark.parametrize(
    "use",
    [{"pgrep": "echo 4711"}, {"who": "echo somebody pts/0"}, {"find": "echo /proc/1/fd/3"}, {"awk": "exit 0"}],
    ids=["session", "login", "neuron device", "processors"],
)
def test_any_use_keeps_the_machine_running_and_starts_the_hour_again(use: dict[str, str], stops: Stops) -> None:
    assert not stops(2 * HOUR, **use)
    assert not stops(None)


def test_what_is_not_asked_for_is_not_installed() -> None:
    nothing = boot_shell(
        login_user="ubuntu", region="us-west-2", virtual_environment=None, has_home=False, idle_stop_minutes=0
    )
    assert nothing == ""


def test_files_are_written_as_they_are_but_for_the_home_volume(tmp_path: Path) -> None:
    """The shell is run with folders of its own; programs arrive unchanged, the unit names the volume."""
    shell = boot_shell(
        login_user="ubuntu", region="us-west-2", virtual_environment="/opt/env", has_home=True, idle_stop_minutes=30
    )
    for folder in ("/etc/profile.d", "/usr/local/sbin", "/etc/systemd/system"):
        (tmp_path / folder[1:]).mkdir(parents=True)
    for start in ("cat > /", "chmod 755 /"):
        shell = shell.replace(start, f"{start[:-1]}{tmp_path}/")
    script = f"systemctl() {{ :; }}\nHOME_VOLUME_ID=vol-0123456789abcdef0\n{shell}"
    subprocess.run(["bash", "-euo", "pipefail", "-c", script], check=True)  # noqa: S603, S607
    assert (tmp_path / "usr/local/sbin/attach-home").read_text() == program("attach-home")
    assert (tmp_path / "usr/local/sbin/stop-when-idle").read_text() == program("stop-when-idle")
    unit = (tmp_path / "etc/systemd/system/attach-home.service").read_text()
    assert "attach-home vol-0123456789abcdef0 ubuntu us-west-2\n" in unit
    assert "stop-when-idle 30\n" in (tmp_path / "etc/systemd/system/stop-when-idle.service").read_text()
    assert ". /opt/env/bin/activate" in (tmp_path / "etc/profile.d/neuron-cluster.sh").read_text()
