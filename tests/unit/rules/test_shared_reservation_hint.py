"""The hint of W3025 can be followed by groups that no edit combines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from rule_fixture import Case

from neuron_cluster.pipeline import check_environment

CAPACITY = {"kind": "reservation", "reservation_id": "cr-0123456789abcdef0"}
MACHINE = {
    "instance_type": "trn1.32xlarge",
    "availability_zone": "usw2-az4",
    "capacity": CAPACITY,
    "root_volume": {"size_gib": "512"},
}
GROUP = {"name": "batch", "count": {"max": "4"}, **MACHINE}
WORKSTATION = {"name": "bench", "dlami": "base_ubuntu_24_04", **MACHINE}


@pytest.mark.parametrize(
    ("edits", "way"),
    [
        ({"eks.node_groups[2]": GROUP}, "combine both into one group, or "),
        ({"workstations": [WORKSTATION]}, "use a reservation for each, or "),
    ],
)
def test_a_workstation_is_not_to_be_combined_with_a_group(edits: dict[str, Any], way: str, tmp_path: Path) -> None:
    file = tmp_path / "environment.yaml"
    file.write_text(Case("train-trn1", {"eks.node_groups[1].capacity": CAPACITY, **edits}).text(), encoding="utf-8")
    (hint,) = (each.hint for each in check_environment(file).findings if each.id == "W3025")
    assert hint == f"{way}limit the sum of both max to the size of the reservation"
