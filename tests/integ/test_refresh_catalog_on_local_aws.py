"""tools/refresh_catalog.py against a local AWS: it mends a catalog that is out of date, and leaves a good one alone."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from local_aws.server import LocalAws
from neuron_cluster.catalog.source_data import DATA_DIRECTORY

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
import refresh_catalog

pytestmark = pytest.mark.slow

REGIONS = ("us-west-2", "us-east-2")
HAS_NO_PRICE_LIST = "instances,offerings,images,releases"
"""The parts that the local AWS answers as the shipped data says."""

EDITED = "instances,offerings"
"""The parts that the edits of these tests are of."""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return shutil.copytree(DATA_DIRECTORY, tmp_path / "data")


def refresh(aws: LocalAws, data: Path, *arguments: str, only: str = HAS_NO_PRICE_LIST) -> int:
    regions = [argument for region in REGIONS for argument in ("--region", region)]
    fixed = ["--local", aws.endpoint, "--data", str(data), "--as-of", "2026-12-01", "--only", only]
    return refresh_catalog.main([*fixed, *regions, *arguments])


def edit(data: Path, *edits: tuple[str, str]) -> None:
    """Makes the instance types of Trainium wrong."""
    file = data / "instance_types" / "trn1.yaml"
    text = file.read_text()
    for old, new in edits:
        assert old in text
        text = text.replace(old, new, 1)
    file.write_text(text)


def test_the_shipped_catalog_says_what_the_local_aws_says(aws: LocalAws, data: Path, capsys) -> None:
    assert refresh(aws, data, "--check") == 0
    assert capsys.readouterr().out == ""


def test_what_is_out_of_date_is_shown_and_then_mended_to_the_letter(aws: LocalAws, data: Path, capsys) -> None:
    shipped = (data / "instance_types" / "trn1.yaml").read_text()
    zones = "    us-west-2: [usw2-az1, usw2-az4]\n"
    edit(data, ("vcpus: 8\n", "vcpus: 6  # as once said\n"), (zones, "    us-west-2: [usw2-az9]\n    us-east-9: [x]\n"))
    wrong = (data / "instance_types" / "trn1.yaml").read_text()
    assert refresh(aws, data, "--check", only=EDITED) == 1
    shown = capsys.readouterr().out
    assert "-  vcpus: 6  # as once said\n+  vcpus: 8  # as once said\n" in shown
    assert "-    us-west-2: [usw2-az9]\n+    us-west-2: [usw2-az1, usw2-az4]\n" in shown
    assert (data / "instance_types" / "trn1.yaml").read_text() == wrong
    assert refresh(aws, data, only=EDITED) == 0
    mended = shipped.replace("vcpus: 8\n", "vcpus: 8  # as once said\n", 1).replace(
        zones, f"{zones}    us-east-9: [x]\n", 1
    )
    assert (data / "instance_types" / "trn1.yaml").read_text() == mended.replace("2026-11-21", "2026-12-01", 1)
    assert refresh(aws, data, "--check", only=EDITED) == 0


def test_a_type_that_the_catalog_lacks_is_printed_and_nothing_is_dropped(aws: LocalAws, data: Path, capsys) -> None:
    file = data / "instance_types" / "inf2.yaml"
    file.write_text(file.read_text()[: file.read_text().index("- name: inf2.48xlarge")])
    assert refresh(aws, data, "--check", only="instances") == 1
    said = capsys.readouterr()
    assert "- name: inf2.48xlarge\n" in said.err
    assert "  neuron_devices: 12\n" in said.err
    assert said.out == ""


def test_versions_of_addons_are_added_once(aws: LocalAws, data: Path) -> None:
    before = (data / "addons.yaml").read_text()
    assert "default_versions" not in before
    assert refresh(aws, data, only="addons") == 0
    after = (data / "addons.yaml").read_text()
    assert after.count("  default_versions:") == before.count("- name: ")
    assert refresh(aws, data, "--check", only="addons") == 0


def test_an_account_without_a_price_list_is_told_and_nothing_is_written(aws: LocalAws, data: Path, capsys) -> None:
    before = (data / "instance_types" / "trn1.yaml").read_text()
    edit(data, ("vcpus: 8\n", "vcpus: 6\n"))
    assert refresh(aws, data, only="instances,prices") == 1
    assert "Nothing was written." in capsys.readouterr().err
    assert (data / "instance_types" / "trn1.yaml").read_text() == before.replace("vcpus: 8\n", "vcpus: 6\n", 1)
