"""The answers of an account become a change, a note or a row to add; the command line writes all or nothing."""

import gzip
import json
import shutil
from datetime import date
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
import refresh_catalog
from botocore.stub import Stubber
from catalog_refresh.answer import Change
from catalog_refresh.hardware import patterns, refresh_hardware
from catalog_refresh.images import refresh_ami_releases, refresh_dlamis
from catalog_refresh.offerings import refresh_offerings, refresh_prices
from catalog_refresh.tables import Tables
from catalog_refresh.writing import edited_files, write_all

from neuron_cluster.aws.session import LocalTarget, client, close_clients
from neuron_cluster.catalog.source_data import DATA_DIRECTORY, CatalogError
from neuron_cluster.errors import ToolkitError

TARGET = LocalTarget("us-west-2", "111122223333", "http://127.0.0.1:9")
DAY = date(2026, 12, 1)
PRODUCTS = json.loads((Path(__file__).parents[2] / "fixtures" / "aws" / "price_list_trn1.32xlarge.json").read_text())


@pytest.fixture
def tables(tmp_path: Path) -> Tables:
    """The shipped data in a folder of its own."""
    shutil.copytree(DATA_DIRECTORY, tmp_path / "data")
    return Tables.read(tmp_path / "data")


@pytest.fixture(scope="module")
def recorded() -> dict[str, Any]:
    packed = resources.files("moto").joinpath("ec2/resources/instance_types.json.gz").read_bytes()
    answers: dict[str, Any] = json.loads(gzip.decompress(packed))
    return answers


def stubbed(service: str) -> Stubber:
    stub = Stubber(client(TARGET, service))
    stub.activate()
    return stub


@pytest.fixture(autouse=True)
def _fresh_clients():
    yield
    close_clients(TARGET)


def of(tables: Tables, *names: str) -> dict[str, Any]:
    return {name: tables.instance_types[name] for name in names}


def test_every_neuron_type_is_asked_for_by_its_letters_so_that_new_ones_are_found(tables: Tables) -> None:
    asked = patterns(tables.instance_types.values())
    assert asked[:2] == ("inf*", "trn*")
    assert {"m7i.large", "m7i.4xlarge"} <= set(asked)


def test_a_number_that_differs_is_changed_and_one_that_is_doubted_is_named(tables: Tables, recorded) -> None:
    changed = json.loads(json.dumps(recorded["trn2.48xlarge"]))
    changed["VCpuInfo"]["DefaultVCpus"] = 256
    stubbed("ec2").add_response("describe_instance_types", {"InstanceTypes": [changed]})
    answer = refresh_hardware({"us-west-2": TARGET}, of(tables, "trn2.48xlarge", "trn1.2xlarge"), tables.data)
    file = tables.data / "instance_types" / "trn2.yaml"
    assert answer.changes == [Change(file, "trn2.48xlarge", "vcpus", "256")]
    doubted, unseen = answer.notes
    assert "trn2.48xlarge: device_memory_gib stays 1536, EC2 says 8192 (the row doubts it: " in doubted
    assert unseen == "trn1.2xlarge: no Region that was asked described it"


def test_a_type_that_is_new_and_one_that_was_only_announced_are_rows_to_add(tables: Tables, recorded) -> None:
    new = [recorded["trn2.48xlarge"] | {"InstanceType": name} for name in ("trn3.48xlarge", "trn4.48xlarge")]
    stubbed("ec2").add_response("describe_instance_types", {"InstanceTypes": new})
    answer = refresh_hardware({"us-west-2": TARGET}, of(tables, "trn3.48xlarge"), tables.data)
    announced, unknown = answer.rows_to_add
    assert answer.changes == []
    assert "trn3.yaml" in announced
    assert "takes the place of the one with status: announced" in announced
    assert "trn4.yaml" in unknown
    assert "- name: trn4.48xlarge\n" in unknown
    assert "  efa_interfaces: 16\n" in unknown


def test_regions_that_disagree_about_a_type_are_named(tables: Tables, recorded) -> None:
    here = recorded["trn1.32xlarge"]
    stub = stubbed("ec2")
    stub.add_response("describe_instance_types", {"InstanceTypes": [here]})
    stub.add_response("describe_instance_types", {"InstanceTypes": [here | {"MemoryInfo": {"SizeInMiB": 1024}}]})
    answer = refresh_hardware({"us-west-2": TARGET, "us-east-1": TARGET}, of(tables, "trn1.32xlarge"), tables.data)
    assert answer.notes == ["trn1.32xlarge is described differently in us-west-2 and us-east-1"]


@pytest.mark.parametrize(("regions", "dated"), [(["us-west-2"], True), (["us-west-2", "us-east-1"], False)])
def test_zones_of_the_asked_region_change_and_the_date_only_when_all_were_asked(
    tables: Tables, regions: list[str], dated: bool
) -> None:
    offers = [{"InstanceType": "trn1n.32xlarge", "Location": "usw2-az1"}]
    stubbed("ec2").add_response("describe_instance_type_offerings", {"InstanceTypeOfferings": offers})
    rows = of(tables, "trn1n.32xlarge")
    answer = refresh_offerings({"us-west-2": TARGET}, rows, regions, tables.data, DAY)
    zones, *dates = answer.changes
    assert zones.value == {"us-east-1": "[use1-az6]", "us-east-2": "[use2-az3]", "us-west-2": "[usw2-az1]"}
    assert [(change.field, change.value) for change in dates] == ([("zone_ids_as_of", "2026-12-01")] if dated else [])
    assert answer.notes[0].startswith("trn1n.32xlarge: read the doubt about zone_ids again")


def test_prices_bring_their_source_and_date_and_reach_the_file(tables: Tables) -> None:
    stub = stubbed("pricing")
    stub.add_response("get_products", {"PriceList": list(map(json.dumps, PRODUCTS))})
    answer = refresh_prices(TARGET, of(tables, "trn1.32xlarge"), tables.data, DAY)
    write_all(edited_files(answer.changes, DAY))
    row = Tables.read(tables.data).instance_types["trn1.32xlarge"]
    assert row.on_demand_usd_hour == {"us-east-1": 21.5, "us-west-2": 22.75}
    assert (row.on_demand_usd_hour_as_of, row.checked_on) == (DAY, DAY)
    assert (row.on_demand_usd_hour_source or "").startswith("Price List API")


def test_a_type_that_the_list_no_longer_prices_keeps_its_price(tables: Tables) -> None:
    stubbed("pricing").add_response("get_products", {"PriceList": []})
    answer = refresh_prices(TARGET, of(tables, "trn1.32xlarge"), tables.data, DAY)
    assert answer.changes == []
    assert answer.notes == ["trn1.32xlarge: the price list has no price; the row keeps its own"]


def test_a_dlami_that_is_published_in_one_more_region_with_a_newer_sdk(tables: Tables) -> None:
    name = "base_ubuntu_24_04"
    row = tables.dlamis[name]
    stubbed("ssm").add_response("get_parameter", {"Parameter": {"Name": row.ssm_parameter, "Value": "ami-12345678"}})
    image = {"ImageId": "ami-12345678", "Description": "Made for Neuron SDK 2.99.0 and newer"}
    stubbed("ec2").add_response("describe_images", {"Images": [image]})
    region = row.regions_without_parameter[0]
    answer = refresh_dlamis({region: TARGET}, {name: row}, tables.data)
    assert {change.field: change.value for change in answer.changes} == {
        "regions_without_parameter": "[]",
        "neuron_sdk": "2.99.0",
    }


def test_a_new_ami_release_becomes_a_row_whose_driver_is_not_known(tables: Tables) -> None:
    stub = stubbed("ssm")
    versions = [row.name for row in tables.catalog.kubernetes_versions]
    images = [row for row in tables.catalog.ami_types if row.chips and row.release_version_parameter_pattern]
    for version in versions * len(images):
        stub.add_response("get_parameter", {"Parameter": {"Value": f"{version}.7-20261130"}})
    answer = refresh_ami_releases(TARGET, tables.catalog, tables.ami_releases, tables.data, DAY)
    write_all(edited_files(answer.changes, DAY))
    first = next(iter(Tables.read(tables.data).ami_releases.values()))
    assert (first.name, first.driver, first.checked_on) == ("20261130", None, DAY)
    assert first.kubernetes_patches == {version: f"{version}.7" for version in versions}
    assert answer.notes == ["AMI release 20261130 is new: look its driver up in the release notes"]


def test_an_impossible_answer_is_refused_before_a_file_is_touched(tables: Tables) -> None:
    file = tables.data / "instance_types" / "trn1.yaml"
    changes = [Change(file, "trn1.32xlarge", "vcpus", "96"), Change(file, "trn1.32xlarge", "efa_interfaces", "9")]
    with pytest.raises(CatalogError, match="9 is more than network_cards"):
        edited_files(changes, DAY)


def test_when_one_file_cannot_be_written_none_is(tables: Tables) -> None:
    folder = tables.data / "instance_types"
    changes = [
        Change(folder / f"{name}.yaml", f"{name}.48xlarge", "checked_on", "2026-12-01") for name in ("inf2", "trn2")
    ]
    files = edited_files(changes, DAY)
    (folder / "trn2.new").mkdir()
    with pytest.raises(ToolkitError, match="cannot write the data files"):
        write_all(files)
    assert [file.path.read_text() for file in files] == [file.before for file in files]
    assert not (folder / "inf2.new").exists()


def test_the_help_teaches(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        refresh_catalog.main(["--help"])
    text = capsys.readouterr().out
    for needed in ("--check", "--region", "examples:", "permissions:", "exit status:", *refresh_catalog.PARTS):
        assert needed in text


@pytest.mark.parametrize(
    ("arguments", "says"),
    [(["--only", "weather"], "no such part: weather; there are instances"), (["--as-of", "soon"], "soon is no date")],
)
def test_a_wrong_command_line_is_explained(arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        refresh_catalog.main(arguments)
    assert says in capsys.readouterr().err


def test_no_answer_is_a_sentence_and_nothing_is_written(tables: Tables, capsys: pytest.CaptureFixture[str]) -> None:
    before = {path: path.read_bytes() for path in tables.data.rglob("*.yaml")}
    arguments = ["--local", "http://127.0.0.1:9", "--region", "us-west-2", "--data", str(tables.data)]
    assert refresh_catalog.main(arguments) == 1
    said = capsys.readouterr().err
    assert said.startswith("refresh_catalog: no connection to AWS")
    assert said.endswith("Nothing was written.\n")
    assert {path: path.read_bytes() for path in tables.data.rglob("*.yaml")} == before


def test_a_misspelt_region_finds_its_neighbours(capsys: pytest.CaptureFixture[str]) -> None:
    assert refresh_catalog.main(["--region", "us-west2", "--check"]) == 1
    said = capsys.readouterr().err
    assert "the catalog has no Region us-west2\nhint: did you mean us-west-2, us-west-1 or us-east-2?" in said
