"""Values of one's own are read as helm would read them, and nothing is guessed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.errors import ToolkitError
from neuron_cluster.schedulers.kubernetes.workloads.options import user_values


@pytest.mark.parametrize(
    ("setting", "values"),
    [
        ("replicas=2", {"replicas": 2}),
        ('replicas="2"', {"replicas": "2"}),
        ("model.name=llama", {"model": {"name": "llama"}}),
        ("model.name=1.30.0", {"model": {"name": "1.30.0"}}),
        ("autoscaling.enabled=true", {"autoscaling": {"enabled": True}}),
        ('model.extraArgs=["--a=b"]', {"model": {"extraArgs": ["--a=b"]}}),
        ("env=a=b", {"env": "a=b"}),
        ("image.digest=", {"image": {"digest": ""}}),
        ("model.name=no", {"model": {"name": "no"}}),
    ],
)
def test_a_setting_is_json_or_text(setting: str, values: Any) -> None:
    assert user_values(None, [setting]) == values


@pytest.mark.parametrize("setting", ["replicas", "=2", "a..b=1", ".a=1", "graphs[0].name=x"])
def test_what_is_no_setting_is_refused(setting: str) -> None:
    with pytest.raises(ToolkitError, match="--set"):
        user_values(None, [setting])


def test_settings_stand_over_the_file_and_later_ones_over_earlier(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("model: {name: a, maxNumSeqs: 4}\nreplicas: 1\n")
    assert user_values(file, ["model.name=b", "model.name=c"]) == {
        "model": {"name": "c", "maxNumSeqs": 4},
        "replicas": 1,
    }


def test_an_empty_file_says_nothing(tmp_path: Path) -> None:
    file = tmp_path / "empty.yaml"
    file.write_text("# nothing\n")
    assert user_values(file, []) == {}


@pytest.mark.parametrize(
    "content",
    [
        *(b"a: [", b"- a\n", b"1: a\n", b"\xff\xfe", b"text", b"a: 1\n---\nb: 1\n", b"a: 1\na: 2\n"),
        *(b"a: !!binary aGVsbG8=", b"a: &a {b: *a}", b"a: " + b"[" * 5_000),
    ],
)
def test_a_file_that_holds_no_values_is_refused(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "bad.yaml"
    file.write_bytes(content)
    with pytest.raises(ToolkitError, match="bad"):
        user_values(file, [])


def test_a_day_in_a_file_is_a_text_as_for_helm(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("when: 2026-01-01\nat: 22:22\n")
    assert user_values(file, []) == {"when": "2026-01-01", "at": "22:22"}
