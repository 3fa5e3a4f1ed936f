"""Releases of the Neuron SDK."""

from neuron_cluster.catalog.catalog import load_catalog

CATALOG = load_catalog()


def parts(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def test_the_newest_comes_first() -> None:
    names = list(CATALOG.neuron_sdks.names)
    assert names == sorted(names, key=parts, reverse=True)
    assert (names[0], names[-1]) == ("2.33.1", "2.24.1")


def test_known_dates_go_with_the_order_of_releases() -> None:
    dates = [row.released for row in CATALOG.neuron_sdks if row.released]
    assert dates == sorted(dates, reverse=True)


def test_the_parts_of_a_release() -> None:
    release = CATALOG.neuron_sdks.get("2.32.0")
    assert release is not None
    assert (release.driver, release.runtime, release.compiler) == ("2.30.2.0", "2.34.10.0", "2.27.5334.0")


def test_what_no_source_says_is_none_and_doubted() -> None:
    release = CATALOG.neuron_sdks.get("2.33.1")
    assert release is not None
    assert release.driver is None
    assert release.doubt_about("driver")
