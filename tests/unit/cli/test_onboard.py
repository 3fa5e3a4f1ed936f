"""`onboard` on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.five_teams import FIVE, ROOT, team, written_with_teams

from .conftest import Command

SLURM = ROOT / "tests" / "fixtures" / "environments" / "slurm-storage.yaml"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return written_with_teams(tmp_path, [team("research", contact="a|b <c>", cost_owner="4711"), *FIVE[1:]])


@pytest.mark.parametrize("columns", [80, 200])
def test_it_lists_the_files_in_the_width_of_the_terminal(
    columns: int, file: Path, tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    ran = command("onboard", str(file), "--team", "research", "--output", str(tmp_path / "pack"))
    assert ran.status == 0
    assert max(map(len, ran.out.splitlines()[2:])) <= columns
    names = sorted(str(path.relative_to(tmp_path / "pack")) for path in (tmp_path / "pack").rglob("*.*"))
    assert names == [
        "README.md", "index.html", "jobs/interactive.yaml", "jobs/serving.yaml", "jobs/training.yaml", "runbook.md",
        "smoke-test.yaml",
    ]  # fmt: skip
    assert all(name in ran.out for name in names)
    assert "2 nodes of trn1, 16 Neuron devices each" in " ".join(ran.out.split())
    assert "| contact | a\\|b &lt;c&gt; |" in (tmp_path / "pack" / "README.md").read_text()
    assert "a|b &lt;c&gt;" in (tmp_path / "pack" / "index.html").read_text()


def test_json_has_the_sizes_of_the_jobs(file: Path, tmp_path: Path, command: Command) -> None:
    document = command(
        "onboard", str(file), "--team", "research", "--output", str(tmp_path / "pack"), "--format", "json"
    ).document
    assert (document["environment"], document["team"]) == ("train-trn1", "research")
    assert document["jobs"]["jobs/training.yaml"] == {
        "is_written": True, "namespace": "research", "queue": "training", "node_group": "trn1", "nodes": 2,
        "devices_per_node": 16, "note": "",
    }  # fmt: skip
    assert "README.md" in document["files"]


def test_a_team_of_slurm_has_a_page_and_scripts(tmp_path: Path, command: Command) -> None:
    arguments = ("onboard", str(SLURM), "--team", "product", "--output", str(tmp_path / "pack"), "--format", "json")
    document = command(*arguments).document
    assert document["jobs"]["jobs/check_collectives.sbatch"] == {
        "is_written": True, "namespace": None, "queue": "training", "node_group": "trn1", "nodes": 2,
        "devices_per_node": 16, "note": "",
    }  # fmt: skip
    assert "team-product" in (tmp_path / "pack" / "README.md").read_text()
    assert sorted(document["files"]) == sorted(
        str(path.relative_to(tmp_path / "pack")) for path in (tmp_path / "pack").rglob("*.*")
    )


def test_warnings_of_the_environment_are_shown_before_the_pack_is_handed_over(tmp_path: Path, command: Command) -> None:
    quota = [{"node_group": "trn1", "devices": 0, "borrow": 0}]
    file = written_with_teams(tmp_path, [*FIVE[1:], team("guests", quota=quota)])
    arguments = ("onboard", str(file), "--team", "guests", "--output")
    ran = command(*arguments, str(tmp_path / "pack"))
    assert ran.status == 0
    assert "W2067" in ran.err
    document = command(*arguments, str(tmp_path / "other"), "--format", "json").document
    assert "W2067" in {finding["id"] for finding in document["findings"]}


@pytest.mark.parametrize("output_format", ["text", "json"])
def test_an_unknown_team_names_the_near_one(output_format: str, file: Path, tmp_path: Path, command: Command) -> None:
    ran = command(
        "onboard", str(file), "--team", "reserch", "--output", str(tmp_path / "pack"), "--format", output_format
    )
    assert ran.status == 1
    assert "did you mean research" in ran.out + ran.err
    assert not (tmp_path / "pack").exists()


@pytest.mark.parametrize(
    ("environment", "text"),
    [
        ("train-trn1", "train-trn1 has no teams"),
        ("workstation", "has no cluster that teams share"),
        ("slurm-trn1", "slurm-trn1 has no teams"),
    ],
)
def test_an_environment_without_teams_is_an_error_with_what_to_do(
    environment: str, text: str, tmp_path: Path, command: Command
) -> None:
    ran = command("onboard", environment, "--team", "research", "--output", str(tmp_path / "pack"))
    assert ran.status == 1
    assert text in ran.err
    assert not (tmp_path / "pack").exists()


def test_a_folder_with_content_is_not_written_to(file: Path, tmp_path: Path, command: Command) -> None:
    ran = command("onboard", str(file), "--team", "research", "--output", str(tmp_path))
    assert ran.status == 1
    assert "is not empty" in ran.err
    assert [each.name for each in tmp_path.iterdir()] == [file.name]


@pytest.mark.parametrize("arguments", [(), ("--team", "research"), ("--team", "research", "--output", "")])
def test_team_and_folder_are_required(arguments: tuple[str, ...], command: Command) -> None:
    assert command("onboard", "train-trn1", *arguments).status == 2
