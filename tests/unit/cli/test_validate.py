"""`validate`: findings of any file, as text and as JSON."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import PROJECT, Command

KEYS = {"id", "severity", "file", "line", "column", "path", "message", "hint"}


def broken(folder: Path) -> Path:
    """The shipped training file with two mistakes."""
    text = (PROJECT / "environments" / "train-trn1.yaml").read_text()
    path = folder / "broken.yaml"
    path.write_text(
        text.replace("trn1.32xlarge\n", "trn1.33xlarge\n").replace("region: us-west-2", "regoin: us-west-2")
    )
    return path


def test_all_environments_are_checked_without_a_name(command: Command) -> None:
    files = {finding["file"] for finding in command("validate", "--format", "json").document["findings"]}
    shipped = sorted((PROJECT / "environments").glob("*.yaml"))
    assert files == {f"environments/{file.name}" for file in shipped}


def test_warnings_are_no_failure(command: Command) -> None:
    ran = command("validate", "train-trn1", "--format", "json")
    assert ran.status == 0
    assert {finding["severity"] for finding in ran.document["findings"]} == {"warning"}


def test_json_is_exactly_the_findings(tmp_path: Path, command: Command) -> None:
    ran = command("validate", str(broken(tmp_path)), "--format", "json")
    assert ran.status == 1
    assert set(ran.document) == {"findings"}
    assert all(set(finding) == KEYS for finding in ran.document["findings"])
    assert ran.err == ""


def test_every_mistake_is_reported_in_one_run_sorted_by_line(tmp_path: Path, command: Command) -> None:
    findings = command("validate", str(broken(tmp_path)), "--format", "json").document["findings"]
    errors = [finding["id"] for finding in findings if finding["severity"] == "error"]
    assert {"E0010", "E0011"} <= set(errors)
    assert [finding["line"] for finding in findings] == sorted(finding["line"] for finding in findings)


def test_text_goes_to_standard_output_and_fits_80_columns(tmp_path: Path, command: Command) -> None:
    ran = command("validate", str(broken(tmp_path)))
    assert ran.status == 1
    assert ran.err == ""
    prose = [line for line in ran.out.splitlines() if line.startswith("  ") and " " in line.strip()]
    assert max(map(len, prose)) <= 80
    assert "\033" not in ran.out


def test_a_known_and_an_unknown_name_are_both_reported(tmp_path: Path, command: Command) -> None:
    ran = command("validate", "no-such-name", "dev-inf2", "--format", "json")
    assert ran.status == 1
    assert {"E0015", "W6002"} <= {finding["id"] for finding in ran.document["findings"]}


def test_a_file_without_findings_is_said_to_be_fine(tmp_path: Path, command: Command) -> None:
    text = (PROJECT / "environments" / "dev-inf2.yaml").read_text().replace("111122223333", "210987654321")
    text = text.replace("      count:", '      ami_release: "1.35.2-20260817"\n      count:')
    fine = tmp_path / "fine.yaml"
    fine.write_text(text)
    ran = command("validate", str(fine))
    assert (ran.status, ran.out) == (0, f"{fine}: no findings\n")


@pytest.mark.parametrize(
    "content", [b"", b"\0", b"\xff\xfe", b"- a\n- b\n", b"a: *b\n", b"{", b"schema: 1\nschema: 1\n", b"[" * 5000]
)
def test_any_bytes_give_findings(content: bytes, tmp_path: Path, command: Command) -> None:
    path = tmp_path / "any.yaml"
    path.write_bytes(content)
    ran = command("validate", str(path), "--format", "json")
    assert ran.status == 1
    assert ran.document["findings"]
