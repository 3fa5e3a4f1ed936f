"""USD a month of checkpoints, line by line.

S3 bills GB of 2^30 bytes, so amounts of its lines are GiB (https://aws.amazon.com/s3/faqs/, "How will I be charged").
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.storage_price import StoragePrice
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
    amount: float | None = None
    """Units of ``price``, of a file system GiB; None where it is not known."""
    price: StoragePrice | None = None
    region: str | None = None
    """The Region of ``price``: a replica is billed in another Region than its source."""


def cost_lines(
    spec: CheckpointSpec, assessment: Assessment, prices: Mapping[str, StoragePrice], region: str
) -> tuple[CostLine, ...]:
    """Returns the lines of the file system, if there is one, and of the bucket."""
    lines = [] if isinstance(assessment.target, DirectBucket) else [lustre_line(assessment.target, prices, region)]
    lines += _bucket_lines(spec, assessment, prices, region)
    return tuple(lines)


def lustre_line(file_system: FileSystem, prices: Mapping[str, StoragePrice], region: str) -> CostLine:
    """Returns the line of the capacity."""
    capacity = file_system.capacity_gib
    row = prices.get(file_system.price_name)
    return price_line(f"FSx for Lustre, {file_system}", row, capacity, f"{capacity:,} GiB", region)


def total(lines: tuple[CostLine, ...]) -> float | None:
    """None where a price is not known."""
    return None if any(line.usd is None for line in lines) else at_least(lines)


def at_least(lines: tuple[CostLine, ...]) -> float | None:
    """Returns the sum of the lines whose price is known, in USD; None where no price is known."""
    known = [line.usd for line in lines if line.usd is not None]
    return sum(known) if known or not lines else None


def deleted_cost(spec: CheckpointSpec, assessment: Assessment, lines: tuple[CostLine, ...]) -> float | None:
    """Returns the cost of deleted checkpoints that the bucket keeps, in USD; None without a bucket or a price."""
    stored = next((line.usd for line in lines if line.what == STORED), None)
    if spec.bucket is None or stored is None:
        return None
    current, noncurrent = _stored_bytes(spec, assessment, spec.bucket)
    return stored * noncurrent / (current + noncurrent) if noncurrent else 0.0


def locked_line(
    spec: CheckpointSpec, assessment: Assessment, days: int, region: str, catalog: Catalog
) -> CostLine | None:
    """Returns the line of deleted checkpoints that a retention keeps longer than the bucket; None without such ones."""
    if spec.bucket is None:
        return None
    kept = sum(_stored_bytes(spec, assessment, spec.bucket)) / arithmetic.GIB
    size = arithmetic.rotated_bytes(spec.size, assessment.interval, days) / arithmetic.GIB - kept
    if size <= 0:
        return None
    amount_text = f"{size:,.0f} GiB more than the bucket keeps without it"
    return price_line(
        "S3 Standard, locked", catalog.storage_prices.get(S3_STORAGE), size, amount_text, region, above=kept
    )


def _stored_bytes(spec: CheckpointSpec, assessment: Assessment, bucket: BucketRetention) -> tuple[float, float]:
    """Returns the bytes of current versions, and of noncurrent ones."""

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
    current, noncurrent = (size / arithmetic.GIB for size in _stored_bytes(spec, assessment, bucket))
    copies = saves / spec.golden_every if spec.golden_every is not None else 0.0
    of_save = assessment.target.put_requests(spec.size, spec.files)
    requests = (of_save * saves + spec.files * copies) / 1000
    unit = "requests" if isinstance(assessment.target, DirectBucket) else "files"
    puts = f"{of_save:,} {unit} x {saves:,.0f} saves"
    puts += f" and {spec.files:,} files x {copies:,.0f} copies" if copies else ""
    stays = f"{spec.kept} kept" if bucket.expire_days is None else _days(bucket.expire_days)
    deleted = f"{_days(bucket.noncurrent_days)} of deleted ones: {noncurrent:,.0f} GiB"
    stored = f"{stays}: {current:,.0f} GiB, and {deleted}"
    return [
        price_line(STORED, prices.get(S3_STORAGE), current + noncurrent, stored, region),
        *_golden_lines(spec, assessment, prices, region, above=current + noncurrent),
        price_line("S3 PUT requests", prices.get(S3_REQUESTS), requests, puts, region),
    ]


def _days(number: int) -> str:
    return "1 day" if number == 1 else f"{number} days"


def _golden_lines(
    spec: CheckpointSpec, assessment: Assessment, prices: Mapping[str, StoragePrice], region: str, *, above: float
) -> list[CostLine]:
    """``above``: the GiB that the bucket has in addition to them, which the lower prices of large amounts count too."""
    if spec.golden_every is None:
        return []
    size, amount_text = _golden_size(spec, assessment, spec.golden_every, spec.golden_days)
    what = f"S3 Standard, {GOLDEN_PREFIX}"
    return [price_line(what, prices.get(S3_STORAGE), size, amount_text, region, above=above)]


def _golden_size(spec: CheckpointSpec, assessment: Assessment, every: int, days: int | None) -> tuple[float, str]:
    """In GiB, and in words. ``days``: until they expire."""
    size = arithmetic.rotated_bytes(spec.size, assessment.interval, days or MONTH_DAYS) / every / arithmetic.GIB
    stays = f"{days} days" if days is not None else "after a month, and as much more with each"
    return size, f"one of {every:,} checkpoints, {stays}: {size:,.0f} GiB"


def replica_lines(
    spec: CheckpointSpec, assessment: Assessment, region: str, target: str, catalog: Catalog, *, time_control: bool
) -> tuple[CostLine, ...]:
    """Returns the lines of copies of golden checkpoints in the Region ``target``; empty without golden checkpoints.

    Storage there is at the price of the first bytes of a bucket. S3 replicates no expiry: copies stay.
    """
    if spec.golden_every is None:
        return ()
    prices, copies = catalog.storage_prices, arithmetic.saves_per_month(assessment.interval) / spec.golden_every
    size, amount_text = _golden_size(spec, assessment, spec.golden_every, None)
    written = copies * spec.size / arithmetic.GIB
    of_month = f"{written:,.0f} GiB a month"
    requests = f"{spec.files:,} files x {copies:,.0f} copies"
    lines = [
        price_line(f"S3 Standard, replica in {target}", prices.get(S3_STORAGE), size, amount_text, target),
        price_line(
            f"S3 PUT requests in {target}", prices.get(S3_REQUESTS), spec.files * copies / 1000, requests, target
        ),
    ]
    if target != region:
        lines.append(
            price_line(f"transfer to {target}", prices.get("s3-cross-region-transfer"), written, of_month, region)
        )
    if time_control:
        lines.append(price_line("time control", prices.get("s3-replication-time-control"), written, of_month, region))
    return tuple(lines)


def price_line(
    what: str, row: StoragePrice | None, amount: float, amount_text: str, region: str, *, above: float = 0.0
) -> CostLine:
    """``amount_text`` is the amount as text; it is billed on top of ``above`` units.

    Without a price of the Region the line has none.
    """
    usd, below = (row.usd(units, region) if row is not None else None for units in (above + amount, above))
    if row is None or usd is None or below is None:
        return CostLine(what, f"{amount_text}; no price of {region} is known", None, None, amount, row, region)
    price = f"{row.regions[region]:g} USD per {unit_words(row)}"
    price += "".join(f", {lower:g} above {start:,}" for start, lower in row.steps.items() if start < above + amount)
    return CostLine(what, f"{amount_text}, {price}", usd - below, row.doubtful_regions.get(region), amount, row, region)


def unit_words(row: StoragePrice) -> str:
    """Returns the unit of a price, in words."""
    return row.unit.replace("1000-requests", "1,000").replace("-", " and ")
