"""Files that a rehearsal finds in claims and buckets."""

from __future__ import annotations

from pathlib import Path

import pytest

from neuron_cluster.errors import ToolkitError
from neuron_cluster.rehearsal.given_files import GivenFile, put, read_given_file, require_claims


@pytest.fixture
def source(tmp_path: Path) -> Path:
    file = tmp_path / "requests.jsonl"
    file.write_text("{}\n")
    return file


def test_a_place_is_a_path_of_a_claim_or_a_key_of_a_bucket(source: Path) -> None:
    in_claim, in_bucket = read_given_file(f"lustre/a/b={source}"), read_given_file(f"s3://lake/a/b={source}")
    assert in_claim == GivenFile("lustre", "a/b", is_object=False, source=source)
    assert in_bucket == GivenFile("lake", "a/b", is_object=True, source=source)
    assert str(in_bucket) == f"s3://lake/a/b from {source}"


@pytest.mark.parametrize(
    "place", ["lustre", "lustre/", "/a", "", "lustre/../a", "lustre//a", "s3://lake", "s3:///a", "s3://../a", "../a"]
)
def test_another_form_is_refused(place: str, source: Path) -> None:
    with pytest.raises(ToolkitError, match="is not a place and a file"):
        read_given_file(f"{place}={source}")


def test_a_file_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ToolkitError, match="there is no file"):
        read_given_file(f"lustre/a={tmp_path / 'absent'}")


def test_a_claim_that_the_workload_does_not_mount_is_refused(source: Path) -> None:
    with pytest.raises(ToolkitError, match="mounts no claim lutsre") as raised:
        require_claims([read_given_file(f"lutsre/a={source}")], {"lustre"})
    assert "claims that it mounts: lustre" in str(raised.value.hint)
    require_claims([read_given_file(f"lustre/a={source}"), read_given_file(f"s3://lake/a={source}")], {"lustre"})


def test_files_and_folders_are_copied(tmp_path: Path, source: Path) -> None:
    folder, claim, buckets = tmp_path / "model", tmp_path / "claim", tmp_path / "buckets"
    (folder / "deep").mkdir(parents=True)
    (folder / "deep/x").write_text("x")
    places = (f"lustre/in/a={source}", f"lustre/models/m={folder}", f"s3://lake/models/m={folder}")
    put(map(read_given_file, places), {"lustre": claim}, buckets)
    assert (claim / "in/a").read_text() == "{}\n"
    assert (claim / "models/m/deep/x").read_text() == (buckets / "lake/models/m/deep/x").read_text() == "x"
