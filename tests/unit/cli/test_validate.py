"""`validate`: findings of any file, as text and as JSON."""

from __future__ import annotations

from datetime import datetime, tzinfo
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
    folder = PROJECT / "environments"
    shipped = [*folder.glob("*.yaml"), *folder.glob("bases/*.yaml")]
    assert files == {str(file.relative_to(PROJECT)) for file in shipped}


def test_warnings_are_no_failure(command: Command) -> None:
    ran = command("validate", "train-trn1", "--format", "json")
    assert ran.status == 0
    assert {finding["severity"] for finding in ran.document["findings"]} == {"warning"}


def test_warnings_are_a_failure_where_they_are_to_be(tmp_path: Path, command: Command) -> None:
    ran = command("validate", "train-trn1", "--strict", "--format", "json")
    assert ran.status == 1
    assert {finding["severity"] for finding in ran.document["findings"]} == {"warning"}
    assert command("validate", str(broken(tmp_path)), "--strict").status == 1
    assert command("validate", str(without_findings(tmp_path)), "--strict", "--as-of", "2026-11-21").status == 0


def test_json_is_exactly_the_findings(tmp_path: Path, command: Command) -> None:
    ran = command("validate", str(broken(tmp_path)), "--format", "json")
    assert ran.status == 1
    assert set(ran.document) == {"findings"}
    assert all(set(finding) == KEYS for finding in ran.document["findings"])
    assert ran.err == ""


def test_every_mistake_is_reported_in_one_run_sorted_by_line(tmp_path: Path, command: Command) -> None:
    findings = command("validate", str(broken(tmp_path)), "--format", "json").document["findings"]
    errors = [finding["id"] for finding in findings if finding["severity"] == "error"]
    assert errors == ["E0010", "E3001"]
    assert [finding["line"] for finding in findings] == sorted(finding["line"] for finding in findings)


def test_text_goes_to_standard_output_and_fits_80_columns(tmp_path: Path, command: Command) -> None:
    ran = command("validate", str(broken(tmp_path)))
    assert ran.status == 1
    assert ran.err == ""
    prose = [line for line in ran.out.splitlines() if line.startswith("  ") and " " in line.strip()]
    assert max(len(line) for line in prose if "`" not in line) <= 80  # commands are not broken
    assert "\033" not in ran.out


def test_a_known_and_an_unknown_name_are_both_reported(tmp_path: Path, command: Command) -> None:
    ran = command("validate", "no-such-name", "dev-inf2", "--format", "json")
    assert ran.status == 1
    assert {"E0015", "W6002"} <= {finding["id"] for finding in ran.document["findings"]}


def without_findings(folder: Path) -> Path:
    """A file about which nothing is to be said on 2026-11-21."""
    text = (PROJECT / "environments" / "dev-inf2.yaml").read_text().replace("111122223333", "210987654321")
    text = text.replace("      count:", '      ami_release: "1.35.6-20260714"\n      count:')
    fine = folder / "fine.yaml"
    fine.write_text(text)
    return fine


def test_a_file_without_findings_is_said_to_be_fine(tmp_path: Path, command: Command) -> None:
    fine = without_findings(tmp_path)
    ran = command("validate", str(fine), "--as-of", "2026-11-21")
    assert (ran.status, ran.out) == (0, f"{fine}: no findings\n")


def test_support_dates_are_looked_at_as_of_the_day_that_is_given(tmp_path: Path, command: Command) -> None:
    fine = without_findings(tmp_path)
    ran = command("validate", str(fine), "--as-of", "2027-03-01", "--format", "json")
    (finding,) = ran.document["findings"]
    assert (finding["id"], finding["path"], ran.status) == ("W2011", "eks.version", 0)
    assert "26 days after 2027-03-01" in finding["message"]


def test_without_a_day_it_is_today(tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    class Clock(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Clock:
            return cls(2027, 3, 26, 23, 59, tzinfo=tz)

    monkeypatch.setattr("neuron_cluster.cli.arguments.datetime", Clock)
    assert "the day after 2027-03-26" in command("validate", str(without_findings(tmp_path))).out.replace("\n  ", " ")


@pytest.mark.parametrize("day", ["tomorrow", "2027-3-1", "20270301", "2027-02-30", "2027-W09-1", "", "01/03/2027"])
@pytest.mark.parametrize("verb", ["validate", "plan"])
def test_what_is_no_date_is_a_mistake_of_usage(day: str, verb: str, command: Command) -> None:
    ran = command(verb, "dev-inf2", "--as-of", day)
    assert (ran.status, ran.out) == (2, "")
    assert "expected year-month-day, such as 2026-11-21" in " ".join(ran.err.split())


def test_json_has_the_findings_about_versions(tmp_path: Path, command: Command) -> None:
    old = tmp_path / "old.yaml"
    old.write_text(without_findings(tmp_path).read_text().replace("sdk: 2.32.0", "sdk: 2.30.0"))
    ran = command("validate", str(old), "--as-of", "2026-11-21", "--format", "json")
    assert [(finding["id"], finding["severity"]) for finding in ran.document["findings"]] == [("E5010", "error")]
    assert "driver 2.27 or newer, below 2.29" in ran.document["findings"][0]["message"]


@pytest.mark.parametrize(("old", "new"), [("sdk: 2.32.0", "sdk: 2.{}.0"), ("1.35.6-20260714", "1.35.{}-20260714")])
def test_a_version_of_a_thousand_digits_is_a_finding(old: str, new: str, tmp_path: Path, command: Command) -> None:
    path = tmp_path / "long.yaml"
    path.write_text(without_findings(tmp_path).read_text().replace(old, new.format("9" * 5000)))
    ran = command("validate", str(path), "--format", "json")
    assert ran.status == 1
    assert {"E0012", "E0013", "E0014"} & {finding["id"] for finding in ran.document["findings"]}


@pytest.mark.parametrize(
    "content", [b"", b"\0", b"\xff\xfe", b"- a\n- b\n", b"a: *b\n", b"{", b"schema: 1\nschema: 1\n", b"[" * 5000]
)
def test_any_bytes_give_findings(content: bytes, tmp_path: Path, command: Command) -> None:
    path = tmp_path / "any.yaml"
    path.write_bytes(content)
    ran = command("validate", str(path), "--format", "json")
    assert ran.status == 1
    assert ran.document["findings"]


@pytest.mark.parametrize("output_format", ["text", "json"])
def test_a_project_without_environments_is_no_success(output_format: str, tmp_path: Path, command: Command) -> None:
    (tmp_path / "environments").mkdir()
    (tmp_path / "cdk.json").write_text("{}")
    ran = command("validate", "--project", str(tmp_path), "--format", output_format)
    assert ran.status == 1
    assert "E0015" in ran.out + ran.err
    assert "environments/ holds no *.yaml file yet" in " ".join((ran.out + ran.err).split())


def test_sarif_has_the_findings_of_json_and_their_exit_status(tmp_path: Path, command: Command) -> None:
    file = str(broken(tmp_path))
    ran, in_json = command("validate", file, "--format", "sarif"), command("validate", file, "--format", "json")
    assert (ran.status, ran.err) == (1, "")
    (run,) = ran.document["runs"]
    assert [result["ruleId"] for result in run["results"]] == [each["id"] for each in in_json.document["findings"]]
    lines = [each["locations"][0]["physicalLocation"]["region"]["startLine"] for each in run["results"]]
    assert lines == [each["line"] for each in in_json.document["findings"]]


def test_sarif_of_a_shipped_environment_names_the_file_as_git_does(command: Command) -> None:
    ran = command("validate", "train-trn1", "--format", "sarif")
    assert ran.status == 0
    uris = {
        each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        for each in ran.document["runs"][0]["results"]
    }
    assert uris == {"environments/train-trn1.yaml"}


def test_a_command_that_fails_makes_a_log_too(tmp_path: Path, command: Command) -> None:
    ran = command("validate", "no-such-name", "--project", str(tmp_path), "--format", "sarif")
    assert ran.status == 1
    assert [each["ruleId"] for each in ran.document["runs"][0]["results"]] == ["E0016"]
