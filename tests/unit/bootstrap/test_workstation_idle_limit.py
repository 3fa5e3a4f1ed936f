"""The commands that set the idle limit, run by bash in a folder of the test."""

from __future__ import annotations

import configparser
import subprocess
from pathlib import Path

import pytest

from neuron_cluster.bootstrap.workstation_boot import IDLE_UNIT, PROGRAMS, UNITS
from neuron_cluster.bootstrap.workstation_idle_limit import MINUTES_IN_USER_DATA, PROGRAM, UNIT, idle_limit_commands
from neuron_cluster.config.workstation import Workstation


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A folder in the place of the machine's units, and a systemctl that notes how it was called."""
    tool = tmp_path / "bin" / "systemctl"
    tool.parent.mkdir()
    tool.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/called\n')
    tool.chmod(0o755)
    return tmp_path


def set_limit(folder: Path, minutes: int) -> str:
    """Returns the drop-in of the unit afterwards."""
    script = "set -e\n" + "\n".join(idle_limit_commands(minutes)).replace(UNITS, str(folder / "units"))
    environment = {"PATH": f"{folder}/bin:/usr/bin:/bin"}
    subprocess.run(["sh", "-c", script], check=True, env=environment)
    return (folder / "units" / f"{UNIT}.d" / "limit.conf").read_text()


def test_the_drop_in_takes_the_place_of_the_units_command(run: Path) -> None:
    """Without an empty ExecStart= systemd runs both, one after the other (systemd.service(5))."""
    assert set_limit(run, 90) == f"[Service]\nExecStart=\nExecStart={PROGRAM} 90\n"
    assert set_limit(run, 45).endswith(" 45\n"), "again, over what is there"
    assert (run / "called").read_text() == "daemon-reload\n" * 2


def test_it_changes_the_unit_that_user_data_installs() -> None:
    unit = configparser.ConfigParser()
    unit.read_string(IDLE_UNIT.format(minutes=MINUTES_IN_USER_DATA))
    assert unit["Service"]["ExecStart"] == f"{PROGRAM} {MINUTES_IN_USER_DATA}"
    assert f"{PROGRAMS}/stop-when-idle" == PROGRAM


def test_user_data_has_the_default_of_the_file() -> None:
    """Machines of files that say nothing of it were made with this, and another text would replace them."""
    assert Workstation.model_fields["idle_stop_minutes"].default == MINUTES_IN_USER_DATA
