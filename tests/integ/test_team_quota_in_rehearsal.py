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


@pytest.mark.parametrize(
    ("borrow", "devices", "ended"), [(0, 8, "Completed"), (0, 9, "Unfinished"), (1, 9, "Completed")]
)
def test_one_device_more_than_quota_and_borrowing_is_not_admitted(
    tmp_path: Path, borrow: int, devices: int, ended: str
) -> None:
    file = written_with_teams(
        tmp_path, [team("research", quota=[{"node_group": GROUP, "devices": 8, "borrow": borrow}])]
    )
    outcome = _rehearse(file, "--set", f"machine.neuronDevices={devices}")
    assert outcome["ended"] == ended
    reasons = [event["message"] for event in outcome["events"] if event["reason"] == "Pending"]
    expected = (
        "insufficient quota for aws.amazon.com/neuron in research-training, "
        "current podset request (9) > maximum capacity (8)"
    )
    assert reasons == ([expected] if ended == "Unfinished" else [])
