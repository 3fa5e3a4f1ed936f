"""Names, paths and the project's root."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from neuron_cluster.errors import InvalidEnvironment
from neuron_cluster.opened_environment import default_target
from neuron_cluster.project import (
    EnvironmentFile,
    environment_file,
    find_project,
    require_project,
    require_same_name,
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "environments").mkdir()
    (tmp_path / "cdk.json").write_text("{}")
    for name in ("train-trn1", "dev-inf2"):
        (tmp_path / "environments" / f"{name}.yaml").write_text("schema: 1\n")
    return tmp_path


def test_the_project_is_found_from_a_folder_inside_it(project: Path) -> None:
    below = project / "docs" / "adr"
    below.mkdir(parents=True)
    found = find_project(start=below)
    assert found is not None
    assert found.root == project


def test_a_folder_with_cdk_json_alone_is_no_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cdk.json").write_text("{}")
    with pytest.raises(InvalidEnvironment) as caught:
        require_project(str(tmp_path))
    assert [finding.id for finding in caught.value.findings] == ["E0016"]


def test_names_are_those_of_the_yaml_files(project: Path) -> None:
    (project / "environments" / "locks").mkdir()
    (project / "environments" / "environment.schema.json").write_text("{}")
    assert require_project(str(project)).environment_names() == ["dev-inf2", "train-trn1"]


def test_a_name_means_the_file_of_the_project(project: Path) -> None:
    assert environment_file("dev-inf2", str(project)).path == project / "environments" / "dev-inf2.yaml"


def test_inside_the_project_a_file_is_shown_as_one_would_write_it(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    assert environment_file("dev-inf2").display_name == "environments/dev-inf2.yaml"


@pytest.mark.parametrize("path", ["drafts/big.yaml", "big.yml", "../x", "./dev-inf2"])
def test_what_looks_like_a_path_is_one(path: str, project: Path) -> None:
    assert environment_file(path, str(project)).path == Path(path)


def test_an_existing_folder_is_a_path_and_not_an_unknown_name(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    assert environment_file("environments").path == Path("environments")


@pytest.mark.parametrize("name", ["train-trn2", "", "nul\0byte", "\udcff"])
def test_an_unknown_name_is_a_finding_with_the_list(name: str, project: Path) -> None:
    with pytest.raises(InvalidEnvironment) as caught:
        environment_file(name, str(project))
    (finding,) = caught.value.findings
    assert finding.id == "E0015"
    assert "dev-inf2, train-trn1" in finding.hint


def test_a_near_name_is_suggested(project: Path) -> None:
    with pytest.raises(InvalidEnvironment) as caught:
        environment_file("train-trn", str(project))
    assert caught.value.findings[0].hint.startswith("did you mean train-trn1?")


def test_the_default_target_is_that_of_the_first_readable_environment(project: Path) -> None:
    shipped = Path(__file__).parents[2] / "environments" / "train-trn1.yaml"
    (project / "environments" / "train-trn1.yaml").write_text(shipped.read_text())
    account, region = default_target(require_project(str(project)))
    assert f"account: {account}" in shipped.read_text()
    assert f"region: {region}" in shipped.read_text()


@pytest.mark.parametrize(
    ("given", "environment", "is_refused"),
    [("llm70b", "llm70b", False), ("llm70b", "llm-70b", True), ("environments/llm70b.yaml", "llm-70b", False)],
)
def test_plain_cdk_gets_the_name_of_a_file_only_if_the_environment_has_that_name(
    given: str, environment: str, *, is_refused: bool
) -> None:
    file = EnvironmentFile(Path("environments/llm70b.yaml"), "environments/llm70b.yaml")
    if not is_refused:
        require_same_name(given, file, environment)
        return
    with pytest.raises(InvalidEnvironment) as raised:
        require_same_name(given, file, environment)
    (finding,) = raised.value.findings
    assert finding.id == "E9014"
    write, path = finding.hint.splitlines()
    ways = re.fullmatch(r"write name: (\S+), or rename the file to (\S+)\.yaml", write)
    assert ways
    require_same_name(given, file, ways[1])
    require_same_name(ways[2], EnvironmentFile(Path(f"environments/{ways[2]}.yaml"), ""), environment)
    assert path == "to take the file as it is, give its path: -c environment=environments/llm70b.yaml"
    require_same_name(path.rpartition("=")[2], file, environment)
