"""A plan of checkpoints: tables for people with the formula of each number, and data for ``--format json``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import structs

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.node_failure_rate import HIGH, LOW, USUAL
from neuron_cluster.catalog.s3_transfer import STANDARD
from neuron_cluster.checkpoints.assessment import Assessment, RecoveryPoint, Shortfall, assess
from neuron_cluster.checkpoints.direct_bucket import DirectBucket
from neuron_cluster.checkpoints.golden import GOLDEN_PREFIX
from neuron_cluster.checkpoints.monthly_cost import CostLine, at_least, total
from neuron_cluster.checkpoints.plan_checkpoints import Candidate, CheckpointPlan
from neuron_cluster.checkpoints.spec import CheckpointSpec, SaveMode
from neuron_cluster.findings.text import size_text, time_text
from neuron_cluster.table import Table

NOT_KNOWN = "not known"
NONE_FITS = (
    "No FSx for Lustre file system takes these checkpoints: allow a longer interval, a longer stall or asynchronous "
    "saves, or keep fewer checkpoints."
)
BEYOND_FORMULA = "failures follow too fast for the formulas of interval and loss: `neuron-cluster storage simulate`"
WORDS = {
    Shortfall.STALL: "a save takes longer than stall_seconds",
    Shortfall.INTERVAL: "a save takes longer than the interval",
    Shortfall.CAPACITY: "too small for the kept checkpoints",
    Shortfall.HOST_MEMORY: "the training and the copies do not fit in host memory",
}


def checkpoint_plan_as_data(plan: CheckpointPlan) -> dict[str, Any]:
    """Sizes in bytes, times in seconds, throughput in bytes a second, costs in USD a month.

    A bucket has no deployment type, capacity and throughput tier: null.
    """
    spec, chosen = plan.spec, plan.chosen
    return {
        "checkpoint": {
            "bytes": spec.size,
            "files": spec.files,
            "bytes_per_node": spec.size / spec.nodes,
            "host_memory_gib": spec.async_memory_gib if spec.mode is SaveMode.ASYNC else None,
            "failures_per_node_hour": spec.failures_per_hour,
            "mean_time_between_failures": spec.mtbf,
        },
        "chosen": candidate_as_data(chosen) if chosen is not None else None,
        "is_given": plan.given is not None,
        "best": candidate_as_data(plan.best) if plan.best is not None else None,
        "candidates": [candidate_as_data(each) for each in plan.candidates],
    }


def candidate_as_data(candidate: Candidate) -> dict[str, Any]:
    found = candidate.assessment
    file_system = None if isinstance(found.target, DirectBucket) else found.target
    return {
        "deployment_type": file_system.deployment_type if file_system is not None else None,
        "capacity_gib": file_system.capacity_gib if file_system is not None else None,
        "throughput_mbps_per_tib": (file_system.tier or None) if file_system is not None else None,
        "write_throughput": found.target.write_throughput,
        "shortfalls": [each.value for each in found.shortfalls],
        "seconds": {
            "write": found.write,
            "burst_write": found.burst_write,
            "creates": found.creates,
            "stall": found.stall,
            "interval": found.interval,
            "young_interval": found.young,
            "restore": found.restore,
            "export": found.export,
        },
        "lost_share": {
            "total": found.lost.total,
            "stalls": found.lost.stalls,
            "repeated_steps": found.lost.repeated_steps,
            "restarts": found.lost.restarts,
        },
        "recovery_point_seconds": {
            "process_or_node": _point_as_data(found.process_lost),
            "zone": _point_as_data(found.zone_lost),
        },
        "usd_per_month": {
            "total": total(candidate.costs),
            "at_least": at_least(candidate.costs),
            "lines": [{"what": line.what, "usd": line.usd, "formula": line.formula} for line in candidate.costs],
        },
    }


def _point_as_data(point: RecoveryPoint | None) -> dict[str, float] | None:
    return {"usual": point.usual, "worst": point.worst} if point is not None else None


def checkpoint_tables(plan: CheckpointPlan, catalog: Catalog, *, has_costs: bool = True) -> list[Table]:
    """Returns tables of the checkpoint, the file systems that take it, and times, losses and costs of the chosen one.

    Without costs where the page has those of all storage.
    """
    tables = [Table("Checkpoint", ("what", "value", "formula"), tuple(_checkpoint_rows(plan.spec)))]
    chosen = plan.chosen
    if chosen is None or not isinstance(chosen.assessment.target, DirectBucket):
        tables.append(_candidates_table(plan))
    if chosen is not None:
        title = f"On {chosen.assessment.target}"
        rows = (*_time_rows(plan.spec, chosen.assessment, catalog), *_loss_rows(plan.spec, chosen.assessment, catalog))
        tables.append(Table(title, ("what", "value", "formula"), rows))
        tables += [_costs_table(plan, chosen)] if has_costs else []
    return tables


def shortfall_sentences(plan: CheckpointPlan) -> list[str]:
    """Returns sentences on what is not enough; none where the plan can be used."""
    if plan.chosen is None:
        return [NONE_FITS]
    return [f"{plan.chosen.assessment.target}: {WORDS[each]}." for each in plan.chosen.assessment.shortfalls]


def _checkpoint_rows(spec: CheckpointSpec) -> Iterator[tuple[str, str, str]]:
    state = spec.state
    formula = f"{spec.parameters / 1e9:,.4g} billion parameters x {state.bytes_per_parameter:g} bytes ({state.what})"
    yield "size", size_text(spec.size), formula
    is_guess = spec.layout.per_tensor and spec.state.doubt_about("tensors_per_weight")
    doubt = " ?" if is_guess or spec.layout.doubt_about("files_per_rank") else ""
    yield "files", f"{spec.files:,}{doubt}", f"{spec.layout.what}, {spec.ranks:,} ranks"
    yield "of a node", size_text(spec.size / spec.nodes), f"{size_text(spec.size)} / {spec.nodes:,} nodes"
    if spec.mode is SaveMode.ASYNC:
        yield _host_memory_row(spec)
    if spec.golden_every is not None:
        copy = f"aws s3 cp --recursive s3://BUCKET/PREFIX/STEP/ s3://BUCKET/{GOLDEN_PREFIX}STEP/"
        yield "golden", f"one of {spec.golden_every:,}", f"a job of yours copies it: {copy}"
    rate = f"1 h / ({spec.nodes:,} nodes x {spec.failures_per_hour:.3%} an hour)"
    yield "time between failures", time_text(spec.mtbf), rate


def _host_memory_row(spec: CheckpointSpec) -> tuple[str, str, str]:
    memory = f"of {spec.host_memory_gib:,} GiB" if spec.host_memory_gib is not None else "of a node"
    training = f" + {spec.training_gib:,.0f} GiB of the training ?" if spec.training_gib else ""
    formula = f"2 x {size_text(spec.size / spec.nodes)}{training}, {memory}"
    return "host memory", f"{spec.async_memory_gib:,.0f} GiB", formula


def _candidates_table(plan: CheckpointPlan) -> Table:
    shown = [plan.given] if plan.given is not None else []
    given = plan.given.assessment.file_system if plan.given is not None else None
    shown += [each for each in plan.candidates if each.assessment.file_system != given]
    note = "The smallest of each throughput tier that takes the checkpoints. <: chosen."
    rows = tuple(_candidate_row(each, is_chosen=_is_chosen(each, plan)) for each in shown)
    columns = ("GiB", "MB/s per TiB", "save", "stall", "lost", "USD a month", "")
    kind = shown[0].assessment.file_system.deployment_type if shown else ""
    return Table(f"FSx for Lustre {kind} in {plan.region}", columns, rows, note)


def _is_chosen(candidate: Candidate, plan: CheckpointPlan) -> bool:
    chosen = plan.chosen
    return chosen is not None and candidate.assessment.file_system == chosen.assessment.file_system


def _candidate_row(candidate: Candidate, *, is_chosen: bool) -> tuple[str, ...]:
    found = candidate.assessment
    marks = [WORDS[each] for each in found.shortfalls] + (["<"] if is_chosen else [])
    return (
        f"{found.file_system.capacity_gib:,}",
        str(found.file_system.tier or "-"),
        time_text(max(found.write, found.creates)),
        time_text(found.stall),
        f"{found.lost.total:.1%}",
        total_text(candidate.costs),
        "; ".join(marks),
    )


def _time_rows(spec: CheckpointSpec, found: Assessment, catalog: Catalog) -> Iterator[tuple[str, str, str]]:
    yield from _upload_rows(spec, found, catalog) if isinstance(found.target, DirectBucket) else _save_rows(spec, found)
    yield "interval", time_text(found.interval), _interval_formula(spec, found)
    yield "restore", time_text(found.restore), "the same bytes, read"
    if found.export is not None:
        rate = found.file_system.performance
        throughput, files = _write_throughput(found), rate.export_files_per_second
        text = f"{rate.export_share:.0%} of {throughput}, {files:,.0f} files a second ?"
        yield "export to the bucket", time_text(found.export), text


def _save_rows(spec: CheckpointSpec, found: Assessment) -> Iterator[tuple[str, str, str]]:
    written = f"{size_text(spec.size)} / {_write_throughput(found)}, in a burst {time_text(found.burst_write)}"
    yield "write", time_text(found.write), written
    rate = found.file_system.creates_per_second
    yield "create files", time_text(found.creates), f"{spec.files:,} / {rate:,.0f} a second"


def _upload_rows(spec: CheckpointSpec, found: Assessment, catalog: Catalog) -> Iterator[tuple[str, str, str]]:
    transfer = catalog.s3_transfers[STANDARD]
    nodes = f"{spec.nodes:,} node{'s' if spec.nodes > 1 else ''}"
    yield "write", time_text(found.write), f"{size_text(spec.size)} / ({nodes} x {transfer.client_gbps:g} Gbit/s ?)"
    requests = f"{found.target.put_requests(spec.size, spec.files):,}"
    parts = f"{requests} with parts of {transfer.part_mib} MiB / {transfer.put_requests_per_second:,} a second"
    yield "PUT requests", time_text(found.creates), parts


def _write_throughput(found: Assessment) -> str:
    return f"{found.target.write_throughput / 1e6:,.0f} MB/s"


def _interval_formula(spec: CheckpointSpec, found: Assessment) -> str:
    young = f"least loss at {time_text(found.young)}: sqrt(2 x {time_text(found.stall)} x {time_text(spec.mtbf)})"
    return young if spec.interval is None else f"given; {young}"


def _loss_rows(spec: CheckpointSpec, found: Assessment, catalog: Catalog) -> Iterator[tuple[str, str, str]]:
    parts = (
        f"stalls {found.lost.stalls:.1%}, steps computed again {found.lost.repeated_steps:.1%}, "
        f"restarts {found.lost.restarts:.1%}"
    )
    beyond = f"; {BEYOND_FORMULA}" if found.lost.is_beyond_formula else ""
    yield "lost of all node hours", f"{found.lost.total:.1%}", f"{parts}{beyond}"
    yield from _rate_rows(spec, found, catalog)
    yield "lost with a process or node", time_text(found.process_lost.usual), _worst(found.process_lost)
    if isinstance(found.target, DirectBucket):
        yield "lost with the zone", time_text(found.process_lost.usual), "S3 stores objects in at least three zones"
    elif found.zone_lost is None:
        yield "lost with the zone", "everything", "no bucket has a copy"
    else:
        yield "lost with the zone", time_text(found.zone_lost.usual), f"{_worst(found.zone_lost)}, with the export"


def _rate_rows(spec: CheckpointSpec, found: Assessment, catalog: Catalog) -> Iterator[tuple[str, str, str]]:
    """With the default of the catalog, what the published rates around it give."""
    rates = catalog.node_failure_rates
    if spec.failures_per_hour != rates[USUAL].per_hour:
        return
    low, high = (rates[name].per_hour for name in (LOW, HIGH))
    best, worst = (assess(structs.replace(spec, failures_per_hour=rate), found.target) for rate in (low, high))
    published = f"published: {low:.3%} to {high:.3%} an hour"
    interval = f"; interval {time_text(best.interval)} to {time_text(worst.interval)}" if spec.interval is None else ""
    yield "lost, other rates", f"{best.lost.total:.1%} to {worst.lost.total:.1%}", f"{published}{interval}"


def _worst(point: RecoveryPoint) -> str:
    return f"on average; {time_text(point.worst)} at worst"


def _costs_table(plan: CheckpointPlan, chosen: Candidate) -> Table:
    rows = [(line.what, usd_text(line.usd) + (" ?" if line.doubt else ""), line.formula) for line in chosen.costs]
    rows.append(("total", total_text(chosen.costs), "30 days"))
    note = "Reference prices. ?: in doubt, see `neuron-cluster catalog prices`."
    return Table(f"USD a month in {plan.region}", ("what", "USD", "formula"), tuple(rows), note)


def total_text(lines: tuple[CostLine, ...]) -> str:
    """``at least 1,008`` where a line has no price."""
    known = at_least(lines)
    return f"at least {usd_text(known)}" if known is not None and total(lines) is None else usd_text(known)


def usd_text(usd: float | None) -> str:
    return f"{usd:,.0f}" if usd is not None else NOT_KNOWN
