"""The wheel from which the toolkit was installed, as the installer recorded it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.pinned_toolkit.running_wheel import recorded_wheel
from tests.wheels import sha256, write_wheel


def record(url: str, archive_info: dict[str, Any] | None) -> str:
    return json.dumps({"url": url, "archive_info": archive_info} if archive_info is not None else {"url": url})


def test_the_file_with_the_recorded_digest_is_found_and_another_is_not(tmp_path: Path) -> None:
    wheel = write_wheel(tmp_path, "1.0")
    for info in ({"hashes": {"sha256": sha256(wheel)}}, {"hash": f"sha256={sha256(wheel)}"}):
        assert recorded_wheel(record(wheel.as_uri(), info)) == wheel
    text = record(wheel.as_uri(), {"hashes": {"sha256": sha256(wheel)}})
    wheel.write_bytes(b"another")
    assert recorded_wheel(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "{}", record("file:///a", None), record("file:///a.whl", {}), record("file:///a.whl", {"hash": 1}),
        record("https://example.com/a.whl", {"hashes": {"sha256": "00"}}),
        record("file:///proc/none.whl", {"hashes": []}),
    ],
)  # fmt: skip
def test_what_is_no_record_of_a_file_is_none(text: str) -> None:
    assert recorded_wheel(text) is None
