"""What several tests of the charts' programs need."""

import json
from pathlib import Path

import pytest


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
