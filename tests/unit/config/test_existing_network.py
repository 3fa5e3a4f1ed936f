"""`network.existing` in the place of `cidr` and `availability_zones`: one of the two ways is required."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from neuron_cluster.pipeline import check_environment

SHIPPED = Path(__file__).parents[3] / "environments" / "dev-inf2.yaml"
PRIVATE = {"id": "subnet-01234567", "availability_zone": "usw2-az1", "kind": "private"}
PUBLIC = {"id": "subnet-12345678", "availability_zone": "usw2-az2", "kind": "public"}


def errors(network: dict[str, Any], folder: Path) -> list[tuple[str, str]]:
    file = folder / "dev-inf2.yaml"
    file.write_text(yaml.safe_dump(yaml.safe_load(SHIPPED.read_text()) | {"network": network}))
    findings = check_environment(file).findings
    return [(each.id, each.location.path) for each in findings if each.id.startswith("E")]


def test_without_a_vpc_that_exists_both_keys_are_required(tmp_path: Path) -> None:
    missing = [("E0011", "network.availability_zones"), ("E0011", "network.cidr")]
    assert sorted(errors({"nat": "single"}, tmp_path)) == missing
    assert errors({"cidr": "10.30.0.0/16"}, tmp_path) == [("E0011", "network.availability_zones")]


@pytest.mark.parametrize(
    ("existing", "found"),
    [
        ({"vpc_id": "vpc-1", "subnets": [PRIVATE]}, ("E0013", "network.existing.vpc_id")),
        ({"vpc_id": "vpc-01234567"}, ("E0011", "network.existing.subnets")),
        ({"vpc_id": "vpc-01234567", "subnets": [PUBLIC]}, ("E0013", "network.existing.subnets")),
    ],
)
def test_one_that_cannot_be_read_makes_no_other_key_required(
    existing: dict[str, Any], found: tuple[str, str], tmp_path: Path
) -> None:
    assert found in errors({"existing": existing}, tmp_path)
    assert {path for id_, path in errors({"existing": existing}, tmp_path) if id_ == "E0011"} <= {found[1]}
