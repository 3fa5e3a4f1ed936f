"""The toolkit has all names of EKS's API: AMI types as rows, capacity types as purchase options."""

import gzip
import importlib.util
import json
from pathlib import Path
from typing import Any, get_args

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.config.capacity import Capacity
from neuron_cluster.config.machine import Machine
from tests.unit.planning.planned import machine_of

CATALOG = load_catalog()
NAMED = {
    "reservation": {"reservation_id": "cr-0123456789abcdef0"},
    "capacity_block": {"reservation_id": "cr-0123456789abcdef0"},
    "ultraserver_block": {"reservation_id": "cr-0123456789abcdef0", "ultraserver": "u-trn2x64"},
}
"""Further keys that a kind needs."""


@pytest.fixture(scope="module")
def shapes() -> dict[str, Any]:
    """The shapes of EKS's service model in botocore."""
    found = importlib.util.find_spec("botocore")
    if found is None or not found.submodule_search_locations:
        pytest.skip("botocore is not installed")
    (folder,) = (Path(found.submodule_search_locations[0]) / "data" / "eks").iterdir()
    found_shapes: dict[str, Any] = json.loads(gzip.decompress((folder / "service-2.json.gz").read_bytes()))["shapes"]
    return found_shapes


def test_every_ami_type_of_the_api_has_a_row_and_no_row_is_invented(shapes) -> None:
    assert {row.name for row in CATALOG.ami_types} == set(shapes["AMITypes"]["enum"])


def test_every_capacity_type_of_the_api_comes_from_some_kind_of_capacity(shapes) -> None:
    """Fails when a newer botocore brings a capacity type that no ``capacity.kind`` becomes."""
    models = get_args(get_args(Capacity)[0])
    kinds = [get_args(model.model_fields["kind"].annotation)[0] for model in models]
    planned = set()
    for kind in kinds:
        capacity = {"kind": kind} | NAMED.get(kind, {})
        wish = {"instance_type": "trn1.32xlarge", "count": {"max": "1"}, "capacity": capacity}
        machine = machine_of(Machine.model_validate(wish))
        planned.add(machine.purchase.kind.upper())
    assert planned == set(shapes["CapacityTypes"]["enum"])
