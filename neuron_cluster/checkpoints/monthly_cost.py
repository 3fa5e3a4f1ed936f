"""USD a month of checkpoints, line by line."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from neuron_cluster.catalog.storage_price import StoragePrice
from neuron_cluster.checkpoints import arithmetic
from neuron_cluster.checkpoints.assessment import Assessment
from neuron_cluster.checkpoints.spec import CheckpointSpec

S3_STORAGE, S3_REQUESTS = "s3-standard", "s3-put"


class CostLine(Struct, frozen=True):
    """``formula`` shows the numbers that ``usd`` comes from. ``usd`` is None where the price is not known."""

    what: str
    formula: str
    usd: float | None
    doubt: str | None = None


def cost_lines(
    spec: CheckpointSpec, assessment: Assessment, prices: Mapping[str, StoragePrice], region: str
) -> tuple[CostLine, ...]:
    """Of the file system, and of the bucket that it mirrors to."""
    file_system = assessment.file_system
    row = prices.get(file_system.price_name)
    capacity = file_system.capacity_gib
    lines = [_line(f"FSx for Lustre, {file_system}", row, capacity, f"{capacity:,} GiB", region)]
    if spec.noncurrent_days is not None:
        lines += _bucket_lines(spec, assessment, spec.noncurrent_days, prices, region)
    return tuple(lines)


def total(lines: tuple[CostLine, ...]) -> float | None:
    """None where a price is not known."""
    known = [line.usd for line in lines if line.usd is not None]
    return sum(known) if len(known) == len(lines) else None


def _bucket_lines(
    spec: CheckpointSpec, assessment: Assessment, days: int, prices: Mapping[str, StoragePrice], region: str
) -> list[CostLine]:
    saves = arithmetic.saves_per_month(assessment.interval)
    current = spec.kept * spec.size / arithmetic.GB
    noncurrent = arithmetic.noncurrent_bytes(spec.size, assessment.interval, days) / arithmetic.GB
    requests = spec.files * saves / 1000
    stored = f"{spec.kept} kept: {current:,.0f} GB, and {days} days of deleted ones: {noncurrent:,.0f} GB"
    return [
        _line("S3 Standard", prices.get(S3_STORAGE), current + noncurrent, stored, region),
        _line(
            "S3 PUT requests", prices.get(S3_REQUESTS), requests, f"{spec.files:,} files x {saves:,.0f} saves", region
        ),
    ]


def _line(what: str, row: StoragePrice | None, amount: float, words: str, region: str) -> CostLine:
    usd = row.usd(amount, region) if row is not None else None
    if row is None or usd is None:
        return CostLine(what, f"{words}; no price of {region} is known", None)
    first = row.regions[region]
    unit = row.unit.replace("1000-requests", "1,000").replace("-", " and ")
    return CostLine(what, f"{words}, {first:g} USD per {unit}", usd, row.doubtful_regions.get(region))
