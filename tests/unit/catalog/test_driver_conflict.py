"""Which runtime works with which driver, in both directions."""

from datetime import date

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.driver_conflict import DriverConflict

CATALOG = load_catalog()


def conflict(
    runtime_below: str | None = None, driver_from: str | None = None, driver_below: str | None = None
) -> DriverConflict:
    return DriverConflict(
        name="c",
        source="a/b",
        checked_on=date(2026, 11, 21),
        runtime_from=None,
        runtime_below=runtime_below,
        driver_from=driver_from,
        driver_below=driver_below,
        symptom="it fails",
    )


@pytest.mark.parametrize(
    ("runtime", "driver", "certain", "in_doubt"),
    [
        ("2.32.31.0", "2.26.10.0", 1, 0),
        ("2.32.31.0", "2.27.4.0", 0, 0),
        ("2.31.24.0", "2.26.10.0", 0, 0),
        ("2.32.31.0", "2.29.0.0", 1, 0),
        ("2.33.10.0", "2.29.0.0", 0, 0),
        ("2.32.31.0", "2.28.0.0", 0, 0),
        ("2.32.31.0", "2.30.2.0", 0, 1),
        ("2.31.24.0", "2.31.7.0", 0, 1),
    ],
)
def test_too_old_and_too_new_drivers(runtime: str, driver: str, certain: int, in_doubt: int) -> None:
    """Neuron Runtime release notes, known issues of 2.30.0 and 2.31.0."""
    found = CATALOG.driver_conflicts.between(runtime, driver)
    assert (sum(not row.doubt for row in found), sum(bool(row.doubt) for row in found)) == (certain, in_doubt)
    assert all(row.symptom for row in found)


def test_the_window_of_a_runtime_has_two_ends() -> None:
    window = CATALOG.driver_conflicts.window("2.32.31.0")
    assert (window.at_least, window.below) == ("2.27", "2.29")
    window = CATALOG.driver_conflicts.window("2.34.10.0")
    assert (window.at_least, window.below) == ("2.27", None)
    window = CATALOG.driver_conflicts.window("2.31.24.0")
    assert (window.at_least, window.below) == (None, "2.29")


def test_a_conflict_of_everything_with_something_is_a_contradiction() -> None:
    assert [field for field, _ in conflict(driver_from="2.29").contradictions()] == ["runtime_from"]
    assert [field for field, _ in conflict(runtime_below="2.33").contradictions()] == ["driver_from"]


def test_a_range_that_ends_where_it_begins_is_a_contradiction() -> None:
    row = conflict(runtime_below="2.33", driver_from="2.29", driver_below="2.29")
    assert [field for field, _ in row.contradictions()] == ["driver_below"]
