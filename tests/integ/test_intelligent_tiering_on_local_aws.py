"""A Lustre file system of Intelligent-Tiering: deployed, raised in place, not lowered, kept, and deleted by name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.aws.session import LocalTarget, client

from .only_data import ONLY_DATA, with_only_data

pytestmark = [pytest.mark.slow, pytest.mark.hints("E9011")]

TIERING = ONLY_DATA.replace("capacity_gib: 1200", "storage_type: intelligent_tiering, throughput_mbps: 8000")


def test_its_throughput_is_raised_in_place_and_never_lowered(
    project: Path, command: Callable[..., Any], target: LocalTarget
) -> None:
    with_only_data(project, TIERING)
    first = command("deploy", "--local", "only-data")
    assert first.status == 0, first.document
    fsx = client(target, "fsx")
    (made,) = fsx.describe_file_systems()["FileSystems"]
    with_only_data(project, TIERING.replace("throughput_mbps: 8000", "throughput_mbps: 12000, read_cache_gib: 0"))
    assert command("deploy", "--local", "only-data").status == 0
    (raised,) = fsx.describe_file_systems()["FileSystems"]
    assert raised["FileSystemId"] == made["FileSystemId"]
    assert raised["LustreConfiguration"]["ThroughputCapacity"] == 12000
    assert raised["LustreConfiguration"]["DataReadCacheConfiguration"] == {"SizingMode": "NO_CACHE"}
    with_only_data(project, TIERING)
    lowered = command("deploy", "--local", "only-data")
    assert [each["id"] for each in lowered.document["findings"]] == ["E9011"]
    assert "throughput_mbps: 12000" in lowered.document["findings"][0]["hint"]
    with_only_data(project)
    replaced = command("deploy", "--local", "only-data")
    assert "E9001" in [each["id"] for each in replaced.document["findings"]]
    with_only_data(project, TIERING)
    assert command("destroy", "--local", "only-data", "--delete-data", "only-data").status == 0
    assert fsx.describe_file_systems()["FileSystems"] == []
