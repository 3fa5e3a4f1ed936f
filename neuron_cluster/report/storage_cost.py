"""What everything that holds data costs a month, in `plan`: a line for each section of ``storage``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from neuron_cluster.catalog.storage_price import storage_prices
from neuron_cluster.checkpoints.golden import GOLDEN_PREFIX
from neuron_cluster.checkpoints.monthly_cost import (
    CostLine,
    at_least,
    lustre_line,
    price_line,
    replica_lines,
    total,
)
from neuron_cluster.checkpoints.plan_checkpoints import CheckpointPlan
from neuron_cluster.plan.checkpoint_storage import checkpoint_storage, file_system_of
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.replication_plan import ReplicationPlan
from neuron_cluster.plan.storage_plan import LustrePlan, StoragePlan
from neuron_cluster.report.checkpoint_page import total_text, usd_text
from neuron_cluster.report.efs_page import S3_FILES_PRICES, efs_prices, price_list
from neuron_cluster.table import Table

BUCKET_PRICES = {"s3-standard": "a GB and month", "s3-put": "for 1,000 PUT requests"}
EXPRESS_PRICES = {"s3-express": "a GB and month", "s3-express-upload": "a GB written"}
OF_LUSTRE = "FSx for Lustre"
NOT_PLANNED = "the stored amount is not in the file"


def storage_costs(plan: ClusterPlan) -> tuple[CostLine, ...]:
    """A line without a price where the file does not decide the amount, or no source has the price of the Region."""
    return tuple(_lines(plan.storage, plan.region)) if plan.storage is not None else ()


def storage_cost_as_data(plan: ClusterPlan) -> dict[str, Any] | None:
    """USD a month; None without storage. ``total`` is None where a line has no price."""
    lines = storage_costs(plan)
    if not lines:
        return None
    shown = [{"what": each.what, "usd": each.usd, "formula": each.formula, "doubt": each.doubt} for each in lines]
    return {"lines": shown, "total": total(lines), "at_least": at_least(lines)}


def storage_cost_table(plan: ClusterPlan) -> Table:
    """Without rows where the environment has no data."""
    lines = storage_costs(plan)
    rows = [(each.what, f"{usd_text(each.usd)}{' ?' if each.doubt else ''}", each.formula) for each in lines]
    if lines:
        rows.append(("total", total_text(lines), "30 days"))
    note = "Reference prices, without traffic and requests that read. ?: in doubt, see `neuron-cluster catalog prices`."
    return Table(f"Storage, USD a month in {plan.region}", ("what", "USD", "formula"), tuple(rows), note)


def _lines(storage: StoragePlan, region: str) -> Iterator[CostLine]:
    checkpoints = checkpoint_storage(storage, region)
    planned = checkpoints.given.costs if checkpoints is not None and checkpoints.given is not None else ()
    yield from _lustre(storage.lustre, region) if storage.lustre is not None else ()
    if storage.bucket is not None:
        of_bucket = [each for each in planned if not each.what.startswith(OF_LUSTRE)]
        yield from of_bucket or [_unplanned("checkpoint bucket", BUCKET_PRICES, region)]
        yield from _replica(storage.bucket.replication, checkpoints, region) if storage.bucket.replication else ()
    if storage.express is not None:
        yield _unplanned("S3 Express bucket", EXPRESS_PRICES, region)
    if storage.efs is not None:
        yield _unplanned("EFS", efs_prices(storage.efs), region)
    if storage.s3_files is not None:
        yield _unplanned("S3 Files", S3_FILES_PRICES, region)
    for home in storage.homes:
        row = storage_prices()["ebs-gp3"]
        yield price_line(f"home {home.name}", row, home.size_gib, f"{home.size_gib:,} GiB", region)
    if storage.backup is not None:
        yield _unplanned("backups", {}, region)


def _lustre(lustre: LustrePlan, region: str) -> Iterator[CostLine]:
    """Nothing of a file system that exists: it is not billed for this environment."""
    if lustre.existing is not None:
        return
    file_system = file_system_of(lustre)
    if file_system is not None:
        yield lustre_line(file_system, storage_prices(), region)
        return
    capacity = f"{lustre.capacity_gib:,} GiB" if lustre.capacity_gib is not None else "Intelligent-Tiering"
    yield CostLine(f"{OF_LUSTRE}, {lustre.deployment_type}", f"{capacity}; no price of {region} is known", None)


def _replica(replication: ReplicationPlan, checkpoints: CheckpointPlan | None, region: str) -> Iterator[CostLine]:
    """Copies of golden checkpoints are planned, those of other prefixes are not."""
    given = checkpoints.given if checkpoints is not None else None
    golden: tuple[CostLine, ...] = ()
    if checkpoints is not None and given is not None and GOLDEN_PREFIX in replication.prefixes:
        has_time_control = replication.time_control_minutes is not None
        golden = replica_lines(
            checkpoints.spec, given.assessment, region, replication.region, time_control=has_time_control
        )
    yield from golden
    others = [each for each in replication.prefixes if each != GOLDEN_PREFIX or not golden]
    if others:
        yield _unplanned(f"replica of {', '.join(others)}", BUCKET_PRICES, replication.region)


def _unplanned(what: str, prices: Mapping[str, str], region: str) -> CostLine:
    """A line whose amount the file does not decide."""
    known = price_list(prices, region) if prices else ""
    return CostLine(what, f"{known or f'no price of {region} is known'}; {NOT_PLANNED}", None)
