"""The record of validated templates: what it names, and when it has no effect."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from neuron_cluster.validated_templates import MAX_RECORDED, record_validated, template_digest, validated_digests

RELEASE = "2.275.0"


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """The path of a record that does not exist."""
    return tmp_path / "cache" / "valid.json"


def test_a_record_names_what_was_recorded_once(record: Path) -> None:
    record_validated(record, RELEASE, ["a", "b"])
    record_validated(record, RELEASE, ["b", "c"])
    assert validated_digests(record, RELEASE) == ["a", "b", "c"]
    assert record.stat().st_mode & 0o777 == 0o600


def test_a_record_of_another_release_has_no_effect_and_is_replaced(record: Path) -> None:
    record_validated(record, "2.274.0", ["a"])
    assert validated_digests(record, RELEASE) == []
    record_validated(record, RELEASE, ["b"])
    assert validated_digests(record, RELEASE) == ["b"]
    assert validated_digests(record, "2.274.0") == []


def test_every_truncated_record_has_no_effect(record: Path) -> None:
    record_validated(record, RELEASE, ["a", "b"])
    whole = record.read_bytes().rstrip()
    for length in range(len(whole)):
        record.write_bytes(whole[:length])
        assert validated_digests(record, RELEASE) == [], length


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "null",
        '{"aws-cdk-lib": "2.275.0"}',
        '{"aws-cdk-lib": "2.275.0", "valid": 7}',
        '{"aws-cdk-lib": "2.275.0", "valid": [{}]}',
        "\xff",
        "[" * 100_000,
    ],
)
def test_a_record_with_other_content_has_no_effect_and_is_replaced(text: str, record: Path) -> None:
    record.parent.mkdir()
    record.write_text(text, encoding="latin-1")
    assert validated_digests(record, RELEASE) == []
    record_validated(record, RELEASE, ["a"])
    assert validated_digests(record, RELEASE) == ["a"]


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_record_that_others_can_write_has_no_effect_and_is_replaced(mode: int, record: Path) -> None:
    record_validated(record, RELEASE, ["a"])
    record.chmod(mode)
    assert validated_digests(record, RELEASE) == []
    record_validated(record, RELEASE, ["b"])
    assert validated_digests(record, RELEASE) == ["b"]


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where the folder would be")
    record = tmp_path / "cache" / "valid.json"
    record_validated(record, RELEASE, ["a"])
    assert validated_digests(record, RELEASE) == []


def test_the_newest_digests_are_kept(record: Path) -> None:
    record_validated(record, RELEASE, ["first", *map(str, range(MAX_RECORDED))])
    assert validated_digests(record, RELEASE) == [*map(str, range(MAX_RECORDED))]


def test_release_account_region_and_template_each_change_the_digest() -> None:
    digests = {
        template_digest(RELEASE, "1" * 12, "us-west-2", b"{}"),
        template_digest("2.274.0", "1" * 12, "us-west-2", b"{}"),
        template_digest(RELEASE, "2" * 12, "us-west-2", b"{}"),
        template_digest(RELEASE, None, "us-west-2", b"{}"),
        template_digest(RELEASE, "1" * 12, "us-east-1", b"{}"),
        template_digest(RELEASE, "1" * 12, "us-west-2", b"{ }"),
    }
    assert len(digests) == 6


def test_the_record_is_a_json_document_with_the_release(record: Path) -> None:
    record_validated(record, RELEASE, ["a"])
    assert json.loads(record.read_bytes()) == {"aws-cdk-lib": RELEASE, "valid": ["a"]}
