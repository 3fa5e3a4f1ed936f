"""Pairs of nodes, each measured alone after a floor was missed: the result of all nodes does not tell which is slow.

Every node is in two pairs, with the node before it and the node after it, so that a slow node is the one that two slow
pairs have in common.
"""

from __future__ import annotations

import statistics
import subprocess
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from check_plan import CheckPlan, Run
from collectives_report import FloorResult, Outcome, UnreadableOutput
from nccom_run import measure_run

FEWEST_NODES = 3
SLOW = 0.8
"""Of the median pair: less than what the pairs of healthy nodes differ by is not known, and this is a choice."""


@dataclass(frozen=True, slots=True)
class PairResult:
    """What two nodes reached (GiB per second); ``bus_bandwidth`` is None where ``problem`` says why."""

    operation: str
    size_bytes: int
    nodes: tuple[str, str]
    bus_bandwidth: float | None
    problem: str = ""


def neighbours(count: int) -> list[tuple[int, int]]:
    """Each node with the next one, the last one with the first. None for two nodes, which are the pair."""
    return [(index, (index + 1) % count) for index in range(count)] if count >= FEWEST_NODES else []


def measure_pairs(
    plan: CheckPlan, missed: Iterable[FloorResult], addresses: Sequence[str], nodes: Sequence[str]
) -> list[PairResult]:
    """The pairs of every floor that was not reached, until the time for pairs is over. ``nodes`` are their names."""
    deadline = time.monotonic() + plan.pairs_seconds
    found: dict[tuple[str, int, tuple[int, int]], PairResult] = {}
    for result in missed:
        for pair in neighbours(len(addresses)):
            key = (result.floor.operation, result.floor.size_bytes, pair)
            left = deadline - time.monotonic()
            if result.outcome is Outcome.BELOW and key not in found and left > 0:
                run = _run(plan, result, [addresses[index] for index in pair], left)
                found[key] = _result(plan, run, (nodes[pair[0]], nodes[pair[1]]))
    return list(found.values())


def _run(plan: CheckPlan, result: FloorResult, addresses: Sequence[str], seconds: float) -> Run:
    size = result.floor.size_bytes
    return Run(
        operation=result.floor.operation,
        addresses=addresses,
        min_bytes=size,
        max_bytes=size,
        attempts=1,
        timeout_seconds=min(seconds, plan.operation_timeout_seconds),
    )


def _result(plan: CheckPlan, run: Run, nodes: tuple[str, str]) -> PairResult:
    try:
        slowest = min(each.bus_bandwidth for each in measure_run(plan, run))
    except (UnreadableOutput, subprocess.TimeoutExpired) as problem:
        return PairResult(run.operation, run.max_bytes, nodes, None, str(problem))
    return PairResult(run.operation, run.max_bytes, nodes, slowest)


def pair_lines(results: Sequence[PairResult]) -> list[str]:
    """One line for each pair, the slowest first; then the nodes whose pairs are all slow."""
    order = sorted(results, key=lambda each: (each.bus_bandwidth is not None, each.bus_bandwidth or 0.0))
    lines = [f"pair {' and '.join(each.nodes)}: {_words(each)}" for each in order]
    if suspects := slow_nodes(results):
        lines.append(f"slow in every pair: {', '.join(suspects)}")
    return lines


def _words(result: PairResult) -> str:
    what = f"{result.operation} at {result.size_bytes} bytes"
    measured = result.bus_bandwidth
    return f"{what}: {measured:.2f} GiB/s" if measured is not None else f"{what} was not measured: {result.problem}"


def slow_nodes(results: Sequence[PairResult]) -> list[str]:
    """Nodes of which every pair failed or is far below the median of its operation and size."""
    fast = {node for each in results if not _is_slow(each, results) for node in each.nodes}
    return sorted({node for each in results for node in each.nodes} - fast)


def _is_slow(result: PairResult, results: Sequence[PairResult]) -> bool:
    kind = (result.operation, result.size_bytes)
    reached = [
        each.bus_bandwidth
        for each in results
        if (each.operation, each.size_bytes) == kind and each.bus_bandwidth is not None
    ]
    measured = result.bus_bandwidth
    return measured is None or measured < SLOW * statistics.median(reached)
