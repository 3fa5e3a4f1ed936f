"""A bad row is refused with its file, line, row and field; nothing is read before it is asked for."""

import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.instance_type import InstanceType
from neuron_cluster.catalog.source_data import CatalogError, read_rows
from neuron_cluster.catalog.sourced_row import SourcedRow

CATALOG = load_catalog()

UNIT = "ultraserver: {name: u, capacity_type: null, instances: 4, chips: 60, sizes: [], interconnect: none}"
GOOD = "- name: a\n  source: somewhere\n  checked_on: 2026-11-21\n  size: 4\n"


class Thing(SourcedRow, frozen=True, kw_only=True):
    size: int


@pytest.fixture
def data_file(tmp_path: Path) -> Path:
    return tmp_path / "things.yaml"


def test_rows_come_by_name_in_the_order_of_the_file(data_file: Path) -> None:
    data_file.write_text(GOOD.replace("name: a", "name: b") + GOOD)
    rows = read_rows(data_file, Thing)
    assert list(rows) == ["b", "a"]
    assert rows["a"] == Thing(name="a", source="somewhere", checked_on=date(2026, 11, 21), size=4)


@pytest.mark.parametrize(
    ("text", "place", "reason"),
    [
        (GOOD.replace("  source: somewhere\n", ""), (1, "a", "source"), "missing field"),
        (GOOD.replace("somewhere", "null"), (2, "a", "source"), "a text is needed"),
        (GOOD.replace("  checked_on: 2026-11-21\n", ""), (1, "a", "checked_on"), "missing field"),
        (GOOD.replace("2026-11-21", "last week"), (3, "a", "checked_on"), "a date such as"),
        (GOOD + "  colour: red\n", (5, "a", "colour"), "unknown field"),
        (GOOD.replace("size: 4", "size: large"), (4, "a", "size"), "a whole number is needed"),
        (GOOD + "  size: 5\n", (5, "a", "size"), "is given twice"),
        (GOOD + GOOD, (5, "a", "name"), "two rows with this name"),
        (GOOD + "  doubt: {colour: who knows}\n", (1, "a", "doubt.colour"), "no such field to doubt"),
        (GOOD.replace("name: a\n  ", ""), (1, "number 1", "name"), "missing field"),
        ("- just text\n", (1, "number 1", ""), "a mapping is needed"),
    ],
)
def test_a_bad_row_is_refused_by_name(data_file: Path, text, place, reason) -> None:
    data_file.write_text(text)
    with pytest.raises(CatalogError, match=reason) as caught:
        read_rows(data_file, Thing)
    assert (caught.value.line, caught.value.row, caught.value.field) == place
    assert f"{data_file}:{place[0]}, row {place[1]}" in caught.value.message


@pytest.mark.parametrize(("text", "reason"), [("a: [", "not YAML"), ("name: a", "list of rows"), ("", "list of rows")])
def test_a_file_that_is_no_list_of_rows_is_refused(data_file: Path, text, reason) -> None:
    data_file.write_text(text)
    with pytest.raises(CatalogError, match=reason):
        read_rows(data_file, Thing)


@pytest.mark.parametrize(
    ("old", "new", "field", "reason"),
    [
        ("neuron_cores: 32\n", "neuron_cores: 33\n", "neuron_cores", "33 is not a multiple of neuron_devices"),
        ("efa_interfaces: 8\n", "efa_interfaces: 9\n", "efa_interfaces", "9 is more than network_cards"),
        ("logical_nc_configs: {1: 32}", "logical_nc_configs: {1: 16}", "logical_nc_configs.1", "are not 32 physical"),
        ("default_logical_nc_config: 1", "default_logical_nc_config: 2", "default_logical_nc_config", "is not one of"),
        ("neuron_devices: 16", "neuron_devices: 0", "neuron_devices", "is 0, but `chip` is trainium"),
        ("chip: trainium", "chip: null", "chip", "is empty, but the type has Neuron devices"),
        ("vcpus: 128", "vcpus: 0", "vcpus", "must be at least 1"),
        ("local_disk_count: 4", "local_disk_count: 0", "local_storage_gb", "must both be given"),
        ("on_demand_usd_hour_as_of: 2026-07-20", "on_demand_usd_hour_as_of: null", "on_demand_usd_hour_source", "date"),
        ("root_volume_minimum_gib: 512", "root_volume_minimum_gib: null", "root_volume_minimum_source", "its minimum"),
        ("purchase_modes: [on_demand", "purchase_modes: [gift", "purchase_modes.0", "one of on_demand, spot"),
        ("vcpus: 128", "vcpus: null", "vcpus", "must be known of a type that EC2 has"),
        ("launchable: true", "launchable: false", "launchable", "status is available"),
        ("chip: trainium", "chip: trainium\n  launch_note: not yet", "launch_note", "not allowed if it can"),
        ("status: available", "status: maybe", "status", "one of available, announced, named, ultraserver"),
        ("eks_ami_type: AL2023_x86_64_NEURON", "eks_ami_type: null", "status", "contradicts the known Neuron devices"),
        ("status: available", f"{UNIT}\n  status: available", "ultraserver.chips", "60 are not 4 x 16 devices"),
    ],
)
def test_an_impossible_instance_type_is_refused(data_file: Path, old, new, field, reason) -> None:
    row = text_of_row("trn1.32xlarge")
    assert old in row
    data_file.write_text(row.replace(old, new))
    with pytest.raises(CatalogError, match=reason) as caught:
        read_rows(data_file, InstanceType)
    assert (caught.value.row, caught.value.field) == ("trn1.32xlarge", field)


def text_of_row(name: str) -> str:
    """Returns the text of the data file about one instance type."""
    file = CATALOG.instance_types.file_of(name)
    assert file is not None
    (row,) = (row for row in file.read_text().split("\n- name: ") if row.startswith(f"{name}\n"))
    return "- name: " + row


def test_a_unit_of_instances_says_of_what(data_file: Path) -> None:
    row = text_of_row("Trn3 Gen1 UltraServer")
    data_file.write_text(row[: row.index("  ultraserver:\n")])
    with pytest.raises(CatalogError, match="is missing in the row of a unit"):
        read_rows(data_file, InstanceType)


def run(*lines: str) -> subprocess.CompletedProcess[str]:
    """A fresh interpreter that runs these lines."""
    return subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=False)


def test_importing_the_catalog_opens_no_data_file() -> None:
    done = run(
        "import sys",
        "opened = []",
        "sys.addaudithook(lambda event, details: opened.append(str(details[0])) if event == 'open' else None)",
        "from neuron_cluster.catalog.catalog import load_catalog",
        "load_catalog()",
        "assert not [name for name in opened if name.endswith(('.yaml', '.rows'))], opened",
        "load_catalog().regions.rows",
        "data = {name.rpartition('/')[2].partition('.')[0] for name in opened if name.endswith(('.yaml', '.rows'))}",
        "assert data == {'regions'}, opened",
    )
    assert done.returncode == 0, done.stderr


def test_a_question_about_one_instance_type_opens_one_file() -> None:
    done = run(
        "import sys",
        "opened = []",
        "sys.addaudithook(lambda event, details: opened.append(str(details[0])) if event == 'open' else None)",
        "from neuron_cluster.catalog.catalog import load_catalog",
        "assert load_catalog().instance_types.get('trn1.32xlarge').vcpus == 128",
        "assert load_catalog().instance_types.get('../../secrets.yaml') is None",
        "assert load_catalog().instance_types.get('zzz9.large') is None",
        "data = {name.rpartition('/')[2].partition('.')[0] for name in opened if name.endswith(('.yaml', '.rows'))}",
        "print(*data)",
    )
    assert (done.stdout.strip(), done.returncode) == ("trn1", 0), done.stderr


def test_the_rows_are_read_without_libyaml_too() -> None:
    done = run(
        "import sys",
        "sys.modules['yaml._yaml'] = None",
        "import yaml",
        "assert not yaml.__with_libyaml__",
        "from neuron_cluster.catalog import source_data",
        "source_data.cached_rows = lambda file: None",
        "from neuron_cluster.catalog.catalog import load_catalog",
        "print(len(load_catalog().instance_types))",
    )
    assert (done.stdout.strip(), done.returncode) == (str(len(CATALOG.instance_types)), 0), done.stderr
