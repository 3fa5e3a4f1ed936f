"""Releases of the EKS AMIs."""

from neuron_cluster.catalog.catalog import load_catalog

CATALOG = load_catalog()


def test_the_newest_comes_first() -> None:
    names = list(CATALOG.ami_releases.names)
    assert names == sorted(names, reverse=True)


def test_a_release_is_found_by_release_version_and_by_date() -> None:
    row = CATALOG.ami_releases.get("1.36.2-20260714")
    assert row is not None
    assert CATALOG.ami_releases.get("20260714") is row
    assert row.driver == "2.29.0.0"
    assert row.release_version("1.36") == "1.36.2-20260714"


def test_a_version_that_a_release_does_not_have_makes_no_release_version() -> None:
    before_1_36 = CATALOG.ami_releases.get("20260505")
    assert before_1_36 is not None
    assert before_1_36.release_version("1.36") is None


def test_an_abandoned_release_is_not_known() -> None:
    assert CATALOG.ami_releases.get("20260311") is None
