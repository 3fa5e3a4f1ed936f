"""Which rows the network cards of the combinations rest on: AWS's recorded answers, or an announcement alone."""

from __future__ import annotations

import gzip
import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog


def recorded_types() -> dict[str, Any]:
    """Recorded answers of DescribeInstanceTypes by type, which moto carries; moto itself is not imported."""
    found = importlib.util.find_spec("moto")
    assert found is not None
    assert found.submodule_search_locations
    file = Path(found.submodule_search_locations[0]) / "ec2" / "resources" / "instance_types.json.gz"
    answers: dict[str, Any] = json.loads(gzip.decompress(file.read_bytes()))
    return answers


def test_cards_interfaces_and_efa_are_recorded_for_every_type_that_is_sold(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """No doubt excuses a difference here; of a type without an answer nothing can be launched, and no card is known."""
    recorded = recorded_types()
    rows = [row for row in load_catalog().instance_types if row.chip is not None]
    without = [row for row in rows if row.name not in recorded]
    for row in rows:
        if row not in without:
            network = recorded[row.name]["NetworkInfo"]
            per_card = {card["MaximumNetworkInterfaces"] for card in network["NetworkCards"]}
            efa = network.get("EfaInfo", {}).get("MaximumEfaInterfaces", 0)
            assert (row.efa_interfaces, row.network_cards) == (efa, network["MaximumNetworkCards"]), row.name
            assert {row.interfaces_per_card} == per_card, row.name
    assert [row.name for row in without if row.launchable or row.network_cards or row.interfaces_per_card] == []
    assert [row.name for row in without if row.efa_interfaces and not row.doubt_about("efa_interfaces")] == []
    with capsys.disabled():
        sys.stdout.write(
            f"\n{len(rows) - len(without)} of {len(rows)} Neuron rows have a recorded answer of AWS; without one: "
            f"{', '.join(row.name for row in without)}\n"
        )
