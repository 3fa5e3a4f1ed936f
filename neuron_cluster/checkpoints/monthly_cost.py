"""USD a month of checkpoints, line by line."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from neuron_cluster.catalog.storage_price import StoragePrice, storage_prices
from neuron_cluster.checkpoints import arithmetic
from neuron_cluster.checkpoints.assessment import Assessment
from neuron_cluster.checkpoints.direct_bucket import DirectBucket
from neuron_cluster.checkpoints.file_system import FileSystem
from neuron_cluster.checkpoints.golden import GOLDEN_PREFIX
from neuron_cluster.checkpoints.spec import BucketRetention, CheckpointSpec

S3_STORAGE, S3_REQUESTS = "s3-standard", "s3-put"
STORED = "S3 Standard"
MONTH_DAYS = 30


class CostLine(Struct, frozen=True):
    """``formula`` shows the numbers that ``usd`` comes from. ``usd`` is None where the price is not known."""

    what: str
    formula: str
    usd: float | None
    doubt: str | None = None


def cost_lines(
    spec: CheckpointSpec, assessment: Assessment, prices: Mapping[str, StoragePrice], region: str
) -> tuple[CostLine, ...]:
    """Of the file system, if there is one, and of the bucket."""
    lines = [] if isinstance(assessment.target, DirectBucket) else [_lustre_line(assessment.target, prices, region)]
    lines += _bucket_lines(spec, assessment, prices, region)
    return tuple(lines)


def _lustre_line(file_system: FileSystem, prices: Mapping[str, StoragePrice], region: str) -> CostLine:
    capacity = file_system.capacity_gib
    row = prices.get(file_system.price_name)
    return _line(f"FSx for Lustre, {file_system}", row, capacity, f"{capacity:,} GiB", region)


def total(lines: tuple[CostLine, ...]) -> float | None:
    """None where a price is not known."""
    known = [line.usd for line in lines if line.usd is not None]
    return sum(known) if len(known) == len(lines) else None


def deleted_cost(spec: CheckpointSpec, assessment: Assessment, lines: tuple[CostLine, ...]) -> float | None:
    """Of what the bucket keeps of deleted checkpoints; None without a bucket or a price."""
    stored = next((line.usd for line in lines if line.what == STORED), None)
    if spec.bucket is None or stored is None:
        return None
    current, noncurrent = _stored_bytes(spec, assessment, spec.bucket)
    return stored * noncurrent / (current + noncurrent)


def locked_line(spec: CheckpointSpec, assessment: Assessment, days: int, region: str) -> CostLine | None:
    """Of deleted checkpoints that a retention keeps longer than the bucket; None where it keeps none.

    At the price of the first bytes of a bucket.
    """
    if spec.bucket is None:
        return None
    kept = sum(_stored_bytes(spec, assessment, spec.bucket))
    size = (arithmetic.rotated_bytes(spec.size, assessment.interval, days) - kept) / arithmetic.GB
    if size <= 0:
        return None
    words = f"{size:,.0f} GB more than the bucket keeps without it"
    return _line("S3 Standard, locked", storage_prices().get(S3_STORAGE), size, words, region)


def _stored_bytes(spec: CheckpointSpec, assessment: Assessment, bucket: BucketRetention) -> tuple[float, float]:
    """Of current versions, and of noncurrent ones."""

    def rotated(days: int) -> float:
        return arithmetic.rotated_bytes(spec.size, assessment.interval, days)

    current = spec.kept * spec.size if bucket.expire_days is None else rotated(bucket.expire_days)
    return current, rotated(bucket.noncurrent_days)


def _bucket_lines(
    spec: CheckpointSpec, assessment: Assessment, prices: Mapping[str, StoragePrice], region: str
) -> list[CostLine]:
    bucket = spec.bucket
    if bucket is None:
        return []
    saves = arithmetic.saves_per_month(assessment.interval)
    current, noncurrent = (size / arithmetic.GB for size in _stored_bytes(spec, assessment, bucket))
    copies = saves / spec.golden_every if spec.golden_every is not None else 0.0
    of_save = assessment.target.put_requests(spec.size, spec.files)
    requests = (of_save * saves + spec.files * copies) / 1000
    unit = "requests" if isinstance(assessment.target, DirectBucket) else "files"
    puts = f"{of_save:,} {unit} x {saves:,.0f} saves"
    puts += f" and {spec.files:,} files x {copies:,.0f} copies" if copies else ""
    stays = f"{spec.kept} kept" if bucket.expire_days is None else _days(bucket.expire_days)
    deleted = f"{_days(bucket.noncurrent_days)} of deleted ones: {noncurrent:,.0f} GB"
    stored = f"{stays}: {current:,.0f} GB, and {deleted}"
    return [
        _line(STORED, prices.get(S3_STORAGE), current + noncurrent, stored, region),
        *_golden_lines(spec, assessment, prices, region),
        _line("S3 PUT requests", prices.get(S3_REQUESTS), requests, puts, region),
    ]


def _days(number: int) -> str:
    return "1 day" if number == 1 else f"{number} days"


def _golden_lines(
    spec: CheckpointSpec, assessment: Assessment, prices: Mapping[str, StoragePrice], region: str
) -> list[CostLine]:
    """At the price of the first bytes of a bucket."""
    if spec.golden_every is None:
        return []
    days = spec.golden_days or MONTH_DAYS
    size = arithmetic.rotated_bytes(spec.size, assessment.interval, days) / spec.golden_every / arithmetic.GB
    stays = f"{days} days" if spec.golden_days is not None else "after a month, and as much more with each"
    words = f"one of {spec.golden_every:,} checkpoints, {stays}: {size:,.0f} GB"
    return [_line(f"S3 Standard, {GOLDEN_PREFIX}", prices.get(S3_STORAGE), size, words, region)]


def _line(what: str, row: StoragePrice | None, amount: float, words: str, region: str) -> CostLine:
    usd = row.usd(amount, region) if row is not None else None
    if row is None or usd is None:
        return CostLine(what, f"{words}; no price of {region} is known", None)
    unit = row.unit.replace("1000-requests", "1,000").replace("-", " and ")
    price = f"{row.regions[region]:g} USD per {unit}"
    price += "".join(f", {lower:g} above {start:,}" for start, lower in row.steps.items() if start < amount)
    return CostLine(what, f"{words}, {price}", usd, row.doubtful_regions.get(region))
