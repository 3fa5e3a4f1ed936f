"""A job of a team is admitted within the quota of the team, and with one device more it is not."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.cli.main import main
from neuron_cluster.rehearsal import namespaces
from tests.five_teams import GROUP, ROOT, team, written_with_teams

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(namespaces.why_unsupported() is not None, reason="this machine lets no user create namespaces"),
]
QUICK = ("--trainer", "plain", "--time", "image_pull=60", "--compile-seconds", "60", "--limit", "1")


def _rehearse(file: Path, *arguments: str) -> Any:
    command = ("workload", "rehearse", "neuron-training", str(file), "--project", str(ROOT), "--format", "json")
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        main([*command, "--namespace", "research", "--claim", "lustre", *QUICK, *arguments])
    return json.loads(printed.getvalue())


@pytest.mark.parametrize(("borrow", "devices", "is_admitted"), [(0, 8, True), (0, 9, False), (1, 9, True)])
def test_one_device_more_than_quota_and_borrowing_is_not_admitted(
    tmp_path: Path, borrow: int, devices: int, is_admitted: bool
) -> None:
    file = written_with_teams(
        tmp_path, [team("research", quota=[{"node_group": GROUP, "devices": 8, "borrow": borrow}])]
    )
    outcome = _rehearse(file, "--set", f"machine.neuronDevices={devices}")
    assert ("E9299" in {each["id"] for each in outcome.get("findings", [])}) is not is_admitted
    assert outcome.get("ended") == ("Completed" if is_admitted else None)
