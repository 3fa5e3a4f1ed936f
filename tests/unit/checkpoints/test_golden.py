"""The monthly cost of checkpoints that are kept longer."""

from __future__ import annotations

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.checkpoints.assessment import assess
from neuron_cluster.checkpoints.file_system import FileSystem
from neuron_cluster.checkpoints.monthly_cost import cost_lines
from neuron_cluster.checkpoints.spec import BucketRetention

from .specs import spec_with

CATALOG = load_catalog()


def _usd(**changes: object) -> dict[str, float | None]:
    spec = spec_with(interval=3600.0, bucket=BucketRetention(7, 3), **changes)
    file_system = FileSystem(
        deployment_type="PERSISTENT_2",
        capacity_gib=4800,
        tier=250,
        performance=CATALOG.lustre_performances["PERSISTENT_2"],
    )
    lines = cost_lines(spec, assess(spec, file_system), CATALOG.storage_prices.by_name, "us-east-1")
    return {line.what: line.usd for line in lines}


def test_one_of_24_hourly_checkpoints_of_840_gb_for_ten_days_are_ten() -> None:
    """8,400 GB, billed above the 51,200 GiB of the others, and one more copy of 1,025 objects for each of 30 days."""
    without, golden = _usd(), _usd(golden_every=24, golden_days=10)
    assert golden["S3 Standard, golden/"] == pytest.approx(8_400e9 / 2**30 * 0.022)
    assert golden["S3 PUT requests"] == pytest.approx((720 + 30) * 1_025 / 1000 * 0.005)
    assert {what: usd for what, usd in golden.items() if what in without and what != "S3 PUT requests"} == {
        what: usd for what, usd in without.items() if what != "S3 PUT requests"
    }


def test_golden_checkpoints_that_never_expire_are_those_of_the_first_month() -> None:
    assert _usd(golden_every=24)["S3 Standard, golden/"] == pytest.approx(30 * 840e9 / 2**30 * 0.022)
