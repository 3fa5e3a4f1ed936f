"""References of rows of the software catalog exist, and have the same meaning on both sides."""

from msgspec.structs import fields

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.chip import Chip
from neuron_cluster.catalog.container import Container
from neuron_cluster.catalog.dlami import Dlami
from neuron_cluster.catalog.framework import Framework
from neuron_cluster.catalog.neuron_sdk import NeuronSdk
from neuron_cluster.catalog.version import version_key
from tests.every_case import every_case

CATALOG = load_catalog()
CHIPS = {row.name: row for row in CATALOG.chips}
FAMILIES = {family: row.name for row in CATALOG.chips for family in row.families}
RELEASES = {row.name for row in CATALOG.neuron_sdks}
OLDEST, NEWEST = CATALOG.neuron_sdks.rows[-1].name, CATALOG.neuron_sdks.rows[0].name

every_framework = every_case("row", CATALOG.frameworks.rows, ids=lambda row: row.name)
every_container = every_case("row", CATALOG.containers.rows, ids=lambda row: row.name)
every_dlami = every_case("row", CATALOG.dlamis.rows, ids=lambda row: row.name)
every_chip = every_case("row", CATALOG.chips.rows, ids=lambda row: row.name)


@every_chip
def test_a_chip_s_families_are_those_of_the_instance_types_with_it(row: Chip) -> None:
    assert set(row.families) == {each.family for each in CATALOG.instance_types if each.chip == row.name}


@every_chip
def test_a_dropped_chip_names_a_known_release_and_a_family_to_move_to(row: Chip) -> None:
    assert row.last_sdk is None or row.last_sdk in RELEASES
    assert row.successor is None or FAMILIES[row.successor] != row.name
    assert (row.last_sdk is None) == (row.successor is None)


@every_chip
def test_the_last_release_of_a_chip_has_a_driver_that_drives_it_and_the_next_has_not(row: Chip) -> None:
    if row.last_sdk is None or row.driver_below is None:
        assert (row.last_sdk, row.driver_below) == (None, None)
        return
    by_age = [each for each in reversed(CATALOG.neuron_sdks.rows) if each.driver is not None]
    for release in by_age:
        drives = version_key(release.driver or "0") < version_key(row.driver_below)
        assert drives == (version_key(release.name) <= version_key(row.last_sdk)), release.name


@every_chip
def test_a_chip_s_memory_and_cores_are_those_of_the_instance_types_with_it(row: Chip) -> None:
    for each in CATALOG.instance_types:
        if each.chip == row.name and each.neuron_devices is not None:
            assert each.neuron_cores == each.neuron_devices * row.cores_per_chip, each.name
            assert each.device_memory_gib == each.neuron_devices * row.device_memory_gib, each.name


@every_framework
def test_a_framework_s_chips_and_releases_are_known(row: Framework) -> None:
    for each in row.support:
        assert set(each.chips) <= set(CHIPS)
        assert {each.sdk_from, each.sdk_until} <= {None, *RELEASES}
    systems = {each.operating_system for each in CATALOG.dlamis}
    assert {system for each in row.support for system in each.excluded_operating_systems} <= systems


@every_framework
def test_no_release_is_told_twice_about_a_chip(row: Framework) -> None:
    for chip in CHIPS:
        for release in RELEASES:
            assert sum(each.covers(chip, release) for each in row.support) <= 1, (chip, release)


@every_framework
def test_a_retired_framework_names_one_that_runs_on_its_chips(row: Framework) -> None:
    """Not where the chip itself was dropped: then the successor runs on the chips that take its place."""
    for chip in CHIPS.values():
        found = row.support_on(chip.name, NEWEST)
        if found is None or found.state != "retired":
            continue
        successor = CATALOG.frameworks.get(row.successor_on(chip.name, NEWEST) or "")
        assert successor is not None, chip.name
        place = FAMILIES[chip.successor] if chip.successor is not None else chip.name
        assert successor.runs_on(place, NEWEST), (chip.name, successor.name)


@every_framework
def test_a_framework_s_virtual_environments_are_in_their_images(row: Framework) -> None:
    for dlami_name, environment in row.virtual_environments.items():
        dlami = CATALOG.dlamis.get(dlami_name)
        assert dlami is not None
        assert environment in dlami.virtual_environments
        chips = {FAMILIES[family] for family in dlami.families}
        runs = [chip for chip in chips if row.runs_on(chip, dlami.neuron_sdk)]
        assert runs, f"{dlami_name} holds it for no chip that it runs on"
        for chip in runs:
            support = row.support_on(chip, dlami.neuron_sdk)
            assert support is not None
            assert dlami.operating_system not in support.excluded_operating_systems


def test_every_virtual_environment_has_a_framework() -> None:
    held = {
        (dlami, environment) for row in CATALOG.frameworks for dlami, environment in row.virtual_environments.items()
    }
    assert held == {(row.name, name) for row in CATALOG.dlamis for name in row.virtual_environments}


@every_framework
def test_a_framework_s_part_is_a_part_of_releases(row: Framework) -> None:
    assert row.sdk_part is None or row.sdk_part in {field.name for field in fields(NeuronSdk)}


@every_container
def test_a_container_s_release_is_known_or_older_than_all_that_are(row: Container) -> None:
    assert row.neuron_sdk in RELEASES or version_key(row.neuron_sdk) < version_key(OLDEST)


@every_container
def test_a_container_s_framework_is_known_on_its_families_with_its_release(row: Container) -> None:
    """Not always supported: SDK 2.30.0 brought an image for training with PyTorch/XLA and ended its support."""
    framework = CATALOG.frameworks.get(row.framework)
    assert framework is not None
    assert set(row.families) <= set(FAMILIES)
    assert all(framework.support_on(FAMILIES[family], row.neuron_sdk) for family in row.families)


@every_container
def test_a_container_s_successor_is_newer_and_has_none_itself(row: Container) -> None:
    if row.successor is None:
        return
    successor = CATALOG.containers.get(row.successor)
    assert successor is not None
    assert version_key(successor.neuron_sdk) >= version_key(row.neuron_sdk)
    assert successor.framework != row.framework


@every_container
def test_either_all_containers_of_one_line_have_a_successor_or_none(row: Container) -> None:
    line = [each for each in CATALOG.containers if (each.repository, each.framework) == (row.repository, row.framework)]
    assert {each.successor is None for each in line} == {row.successor is None}


@every_dlami
def test_a_kind_s_families_and_successor_are_known(row: Dlami) -> None:
    assert set(row.families) <= set(FAMILIES)
    if row.successor is not None:
        successor = CATALOG.dlamis.get(row.successor)
        assert successor is not None
        assert successor.successor is None
        assert version_key(successor.neuron_sdk) > version_key(row.neuron_sdk)


def test_ami_types_and_ecs_images_name_known_chips_and_successors() -> None:
    for row in CATALOG.ami_types:
        assert set(row.chips) <= set(CHIPS), row.name
        successor = CATALOG.ami_types.get(row.successor or "")
        assert row.successor is None or (successor is not None and successor.state == "supported")
    for image in CATALOG.ecs_amis:
        assert set(image.chips) <= set(CHIPS), image.name
        assert image.successor is None or CATALOG.ecs_amis.get(image.successor) is not None


def test_ami_releases_know_patches_of_known_versions_alone() -> None:
    known = {row.name for row in CATALOG.kubernetes_versions}
    for row in CATALOG.ami_releases:
        assert set(row.kubernetes_patches) <= known
        assert all(patch.startswith(f"{version}.") for version, patch in row.kubernetes_patches.items()), row.name


def test_drivers_of_ami_releases_are_those_of_releases_or_older_than_all() -> None:
    drivers = {row.driver for row in CATALOG.neuron_sdks}
    oldest = min((driver for driver in drivers if driver is not None), key=version_key)
    for row in CATALOG.ami_releases:
        assert row.driver is None or row.driver in drivers or version_key(row.driver) < version_key(oldest), row.name


def test_each_release_works_with_its_own_driver() -> None:
    for row in CATALOG.neuron_sdks:
        if row.runtime is not None and row.driver is not None:
            assert CATALOG.driver_conflicts.between(row.runtime, row.driver) == (), row.name


def test_zones_of_s3_express_are_zones_of_their_region() -> None:
    for row in CATALOG.express_zones:
        assert set(row.zone_ids) <= set(CATALOG.regions.zone_ids(row.name)), row.name


def test_regions_of_resource_types_are_known() -> None:
    for row in CATALOG.resource_type_regions:
        assert [name for name in row.regions if name not in CATALOG.regions] == [], row.name


def test_minimum_bus_bandwidths_are_of_instance_types_with_efa() -> None:
    for row in CATALOG.minimum_bus_bandwidths:
        assert CATALOG.instance_types[row.name].efa_interfaces, row.name


def test_divisions_name_families_of_models_that_are_known() -> None:
    for row in CATALOG.model_divisions:
        for division in row.families:
            assert [name for name in division.names if name not in CATALOG.model_families] == [], row.name
