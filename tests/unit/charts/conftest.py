"""Fixtures of several tests of the charts' programs."""

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # for training.py
sys.path.insert(0, str(Path(__file__).parents[3] / "charts" / "neuron-training" / "files"))

from processes import descendants, send


@pytest.fixture
def plan_file(tmp_path: Path) -> Path:
    document = {
        "name": "a-result",
        "job": "a-r1",
        "ultraserver_size": 0,
        "labels": {"release": "a"},
        "hosts": ["a-r1-0.a", "a-r1-1.a"],
        "ranks": 128,
        "operations": ["all_reduce"],
        "min_bytes": 8,
        "max_bytes": 1073741824,
        "step_factor": 2,
        "data_type": "bf16",
        "iterations": 20,
        "warmup_iterations": 5,
        "check_data": True,
        "attempts": 2,
        "ssh_port": 2222,
        "root_communication_port": 63182,
        "start_timeout_seconds": 60,
        "operation_timeout_seconds": 60,
        "pairs_seconds": 60,
        "pushgateway_url": "",
        "floors": [],
    }
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(document))
    return path


@pytest.fixture
def nodes(tmp_path: Path) -> Iterator[list[subprocess.Popen[str]]]:
    """Two nodes of one job, whose trainers wait for a signal; no process of a node outlives the test."""
    yield (started := [])
    for node in started:
        send(signal.SIGKILL, [] if node.poll() is not None else descendants(node.pid))  # ranks have their own groups
        with contextlib.suppress(ProcessLookupError):  # each process of the group has ended
            os.killpg(node.pid, signal.SIGKILL)
        node.wait()
        if node.stdout:
            node.stdout.read()  # until every process that could write there has ended
            node.stdout.close()
