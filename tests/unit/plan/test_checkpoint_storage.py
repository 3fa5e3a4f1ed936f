"""Checkpoints of an environment on its file system."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from neuron_cluster.cli.main import main


def _plan(capsys: pytest.CaptureFixture[str], environment: str) -> dict[str, Any]:
    assert main(["plan", environment, "--format", "json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)["checkpoints"]
    return found


def test_the_monthly_cost_of_train_trn1_is_that_of_a_calculation_by_hand(capsys: pytest.CaptureFixture[str]) -> None:
    """70,553,706,496 parameters x 12 bytes. 16 nodes fail every 156.25 h at 0.04 % an hour; a stall of 60 s.

    Each checkpoint is in the bucket for 7 days, and its version for 3.
    """
    found = _plan(capsys, "train-trn1")["chosen"]
    gigabytes = 70_553_706_496 * 12 / 2**30
    interval_hours = (2 * 60 * 156.25 * 3600) ** 0.5 / 3600
    stored = (7 + 3) * 24 / interval_hours * gigabytes
    s3 = 51_200 * 0.023 + (stored - 51_200) * 0.022
    puts = 513 * (30 * 24 / interval_hours) / 1000 * 0.005
    lines = [line["usd"] for line in found["usd_per_month"]["lines"]]
    assert lines == pytest.approx([4800 * 0.21, s3, puts])
    assert found["usd_per_month"]["total"] == pytest.approx(4800 * 0.21 + s3 + puts)
    assert found["seconds"]["interval"] / 3600 == pytest.approx(interval_hours)


def test_the_file_system_of_train_trn1_is_enough(capsys: pytest.CaptureFixture[str]) -> None:
    found = _plan(capsys, "train-trn1")
    assert (found["is_given"], found["chosen"]["shortfalls"]) == (True, [])
    assert found["chosen"]["capacity_gib"] == 4800


def test_checkpoints_of_train_trn3_are_saved_to_the_bucket(capsys: pytest.CaptureFixture[str]) -> None:
    """4 nodes at 10 Gbit/s; objects of 3.3 GB in parts of 64 MiB; three kept, and each a day more as an old version."""
    found = _plan(capsys, "train-trn3")["chosen"]
    size, interval = 70_553_706_496 * 12, (2 * 60 * 625 * 3600) ** 0.5
    assert (found["deployment_type"], found["capacity_gib"], found["shortfalls"]) == (None, None, [])
    assert found["seconds"]["write"] == pytest.approx(size / (4 * 1.25e9))
    requests = 257 * (math.ceil(size / 257 / 2**26) + 2)
    assert found["seconds"]["creates"] == pytest.approx(requests / 3500)
    stored = (3 + 24 * 3600 / interval) * size / 2**30
    lines = [line["usd"] for line in found["usd_per_month"]["lines"]]
    assert lines == pytest.approx([stored * 0.023, requests * (30 * 24 * 3600 / interval) / 1000 * 0.005])
    assert found["recovery_point_seconds"]["zone"] == found["recovery_point_seconds"]["process_or_node"]


def test_text_shows_a_bucket_and_no_file_systems(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", "train-trn3", "--details"]) == 0
    text = capsys.readouterr().out
    assert "On the checkpoint bucket" in text
    assert "FSx for Lustre" not in text


def test_text_shows_the_total(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["plan", "train-trn1", "--details"]) == 0
    text = capsys.readouterr().out
    assert "USD a month in us-west-2" in text
    assert "70.55 billion parameters x 12 bytes" in text
