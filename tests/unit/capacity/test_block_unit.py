"""The unit of a block, and instance types that cannot be bought as one."""

import pytest

from neuron_cluster.capacity.block_unit import instance_unit, ultraserver_unit, unit_of_type
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.errors import ToolkitError

CATALOG = load_catalog()


def test_an_instance_type_tells_chips_regions_and_no_doubt() -> None:
    unit = instance_unit("trn2.48xlarge", CATALOG)
    assert (unit.instances, unit.chips, unit.is_ultraserver, unit.doubt) == (1, 16, False, None)
    assert set(unit.regions) == {"ap-south-2", "us-east-2"}


def test_a_doubtful_way_of_sale_is_asked_for_and_told() -> None:
    assert "ask the account" in (instance_unit("trn2.3xlarge", CATALOG).doubt or "")


def test_an_ultraserver_has_the_chips_of_all_its_instances() -> None:
    unit = ultraserver_unit("u-trn2x64", CATALOG)
    assert (unit.instance_type, unit.instances, unit.chips, unit.is_ultraserver) == ("trn2u.48xlarge", 4, 64, True)


def test_every_type_that_is_sold_in_blocks_is_a_unit() -> None:
    blocks = {"capacity_block", "ultraserver_block"}
    sold = [row for row in CATALOG.instance_types if blocks & set(row.purchase_modes or ())]
    assert len(sold) >= 4
    units = [unit_of_type(row.name, CATALOG) for row in sold]
    assert [unit.instance_type for unit in units] == [row.name for row in sold]
    assert all(unit.chips and unit.regions for unit in units)


@pytest.mark.parametrize(
    ("name", "message", "hint"),
    [
        ("trn2.48xlarg", "not an instance type of the catalog", "did you mean trn2.48xlarge"),
        ("u-trn2x64", "is an UltraServer type", "--ultraserver u-trn2x64"),
        ("trn2u.48xlarge", "contain UltraServers, not instances. In doubt: ", "--ultraserver u-trn2x64"),
        ("trn1n.32xlarge", "the catalog has no capacity blocks of", "trn2.48xlarge"),
        ("trn3.48xlarge", "purchase options of trn3.48xlarge are unknown. Not launchable", "catalog instances"),
    ],
)
def test_what_is_no_block_of_instances_says_what_to_ask_instead(name: str, message: str, hint: str) -> None:
    with pytest.raises(ToolkitError) as refused:
        instance_unit(name, CATALOG)
    assert message in refused.value.message
    assert hint in refused.value.hint


@pytest.mark.parametrize("name", ["u-trn2x65", "trn2u.48xlarge", "u-trn9"])
def test_another_name_of_an_ultraserver_answers_with_the_known_ones(name: str) -> None:
    with pytest.raises(ToolkitError) as refused:
        ultraserver_unit(name, CATALOG)
    assert "known: u-trn2x64" in refused.value.hint
