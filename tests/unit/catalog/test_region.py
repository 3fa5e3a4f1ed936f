"""Questions about Regions and their zones."""

import re

from neuron_cluster.catalog.catalog import load_catalog

CATALOG = load_catalog()


def test_zones_stand_by_id_never_by_letter() -> None:
    for row in CATALOG.regions:
        assert all(re.fullmatch(r"[a-z]{2,4}\d-az\d", zone_id) for zone_id in row.zone_ids), row.name


def test_a_zone_id_belongs_to_one_region_only() -> None:
    every_zone_id = [zone_id for row in CATALOG.regions for zone_id in row.zone_ids]
    assert len(every_zone_id) == len(set(every_zone_id))


def test_a_zone_id_tells_its_region() -> None:
    assert CATALOG.regions.of_zone_id("usw2-az4") == "us-west-2"
    assert CATALOG.regions.of_zone_id("usw2-az99") is None


def test_the_zones_of_an_unknown_region_are_none() -> None:
    assert CATALOG.regions.zone_ids("us-west-2") == ("usw2-az1", "usw2-az2", "usw2-az3", "usw2-az4")
    assert CATALOG.regions.zone_ids("atlantis-1") == ()


def test_three_zones_cannot_hold_a_control_plane() -> None:
    excluded = {zone_id for row in CATALOG.regions for zone_id in row.eks_control_plane_excluded}
    assert excluded == {"use1-az3", "usw1-az2", "cac1-az3"}
    virginia = CATALOG.regions.get("us-east-1")
    assert virginia is not None
    assert "use1-az3" not in virginia.eks_control_plane_zone_ids
    assert len(virginia.eks_control_plane_zone_ids) == 5


def test_every_region_has_at_least_two_zones_for_a_control_plane() -> None:
    assert all(len(row.eks_control_plane_zone_ids) >= 2 for row in CATALOG.regions)


def test_every_region_names_the_registry_of_eks_in_it() -> None:
    for row in CATALOG.regions:
        assert row.eks_image_registry is not None
        assert re.fullmatch(rf"\d{{12}}\.dkr\.ecr\.{row.name}\.amazonaws\.com", row.eks_image_registry)
