"""Minimum bus bandwidth of collectives between nodes."""

from __future__ import annotations

import gzip
import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.minimum_bus_bandwidth import MinimumBusBandwidth

CATALOG = load_catalog()
every_floor = pytest.mark.parametrize("row", CATALOG.minimum_bus_bandwidths.rows, ids=lambda row: row.name)


@pytest.fixture(scope="module")
def recorded() -> Any:
    """Returns EC2's description of instance types, as moto has it."""
    found = importlib.util.find_spec("moto")
    assert found is not None
    assert found.submodule_search_locations
    path = Path(found.submodule_search_locations[0]) / "ec2" / "resources" / "instance_types.json.gz"
    return json.loads(gzip.decompress(path.read_bytes()))


def test_every_type_with_efa_that_the_check_can_run_on_has_one() -> None:
    """The check has images for chips that the SDK still supports."""
    dropped = {chip.name for chip in CATALOG.chips if chip.last_sdk is not None}
    types = [row for row in CATALOG.instance_types if row.launchable and row.efa_interfaces]
    assert {row.name for row in types if row.chip not in dropped} == set(CATALOG.minimum_bus_bandwidths.names)


@every_floor
def test_its_bandwidth_is_what_ec2_said(row: MinimumBusBandwidth, recorded: Any) -> None:
    said = recorded[row.name]["NetworkInfo"]["NetworkPerformance"].removesuffix(" Gigabit")
    cards, _, each = said.rpartition("x ")
    assert row.efa_gbps == int(cards or 1) * int(each)


@every_floor
def test_it_is_in_doubt_and_only_warns(row: MinimumBusBandwidth) -> None:
    assert not row.enforced
    assert "no source publishes" in row.says
    assert list(replace(row, enforced=True).contradictions()) == [
        ("enforced", "must be false for a bandwidth that is in doubt")
    ]


def test_gigabits_become_gibibytes() -> None:
    assert CATALOG.minimum_bus_bandwidths["trn1.32xlarge"].bus_bandwidth_gibps == 23.3
