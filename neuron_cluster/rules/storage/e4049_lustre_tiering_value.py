from __future__ import annotations

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.config.lustre import Lustre, LustreStorageType
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations

THROUGHPUT, CACHE = "lustre_tiering_throughput", "lustre_tiering_cache"
STEPS = (("throughput_mbps", THROUGHPUT), ("metadata_iops", "lustre_tiering_metadata_iops"))
"""Keys whose values are multiples of the minimum, with their limits."""


class LustreTieringValue(Rule):
    """FSx for Lustre Intelligent-Tiering offers these numbers (`throughput_mbps`, `metadata_iops`, `read_cache_gib`).

    Throughput is a multiple of 4000 MB/s, metadata IOPS are 6000 or 12000, and a read cache has 32 to 131072 GiB for
    each 4000 MB/s.

    Without this check FSx rejects the file system with BadRequest, and the storage stack rolls back.
    """

    id = "E4049"
    source = (
        "boto/botocore 1.44.5: fsx CreateFileSystemLustreConfiguration ThroughputCapacity and "
        "LustreReadCacheConfiguration; "
        "https://docs.aws.amazon.com/fsx/latest/LustreGuide/managing-metadata-performance.html"
    )
    proposes = ("metadata_iops", "read_cache_gib", "throughput_mbps")

    def check(self, context: RuleContext) -> Violations:
        storage = context.environment.config.storage
        lustre = storage.lustre if storage is not None else None
        if lustre is None or lustre.storage_type is not LustreStorageType.INTELLIGENT_TIERING:
            return  # such a key with ssd: rule E4048
        for key, name in STEPS:
            value, limit = getattr(lustre, key), context.catalog.limits[name]
            step, largest = limit.require_minimum(), limit.require_maximum()
            if value is None or (step <= value <= largest and value % step == 0):
                continue
            nearest = min(max(step, value // step * step), largest)
            yield Violation(
                ("storage", "lustre", key),
                f"{key} is {value}; it is a multiple of {step}, up to {largest:,}",
                f"set {key}: {nearest}",
            )
        yield from _cache(lustre, context.catalog)


def _cache(lustre: Lustre, catalog: Catalog) -> Violations:
    """One of 0 GiB is none."""
    step, size = catalog.limits[THROUGHPUT].require_minimum(), lustre.read_cache_gib
    throughput = lustre.throughput_mbps or step
    if not size or throughput % step:
        return
    limit = catalog.limits[CACHE]
    smallest, largest = (each * throughput // step for each in (limit.require_minimum(), limit.require_maximum()))
    if not smallest <= size <= largest:
        yield Violation(
            ("storage", "lustre", "read_cache_gib"),
            f"read_cache_gib is {size}; with {throughput} MB/s it is 0, or {smallest} to {largest}",
            f"set read_cache_gib: {smallest if size < smallest else largest}",
        )
