"""Reads what nccom-test prints, compares it with floors and words the result.

The table of nccom-test has one line a size; its columns vary with the options and the release (``time(us)`` or
``time:avg(us)``), so they are found by the header. The column ``busbw(GB/s)`` holds gibibytes per second, whatever its
title says. Source: aws-neuron/aws-neuron-sdk:tools/neuron-sys-tools/nccom-test.rst@81ce03a.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum

SIZE = "size(B)"
ALGORITHM_BANDWIDTH = "algbw(GB/s)"
BUS_BANDWIDTH = "busbw(GB/s)"
TIMES = ("time(us)", "time:avg(us)")
FAILURE_MARKS = ("Failure running", "test failed", "is not running!")


class UnreadableOutput(Exception):
    """nccom-test did not start, said that it failed, or printed no table known here. The text is for the log."""


class Outcome(StrEnum):
    """What became of one floor."""

    MET = "met"
    BELOW = "below"
    NOT_MEASURED = "not measured"


class Verdict(StrEnum):
    """What became of the whole check. Only ``FAILED`` fails the Job."""

    PASSED = "passed"
    WARNED = "warned"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Measurement:
    """One line of the table. Bandwidths in GiB per second, as nccom-test counts them."""

    operation: str
    size_bytes: int
    time_us: float
    algorithm_bandwidth: float
    bus_bandwidth: float


@dataclass(frozen=True, slots=True)
class Floor:
    """The least bus bandwidth (GiB per second) of an operation at a size. Without a source it never fails a check."""

    operation: str
    size_bytes: int
    bus_bandwidth: float
    source: str
    enforced: bool

    @property
    def fails_the_check(self) -> bool:
        return self.enforced and bool(self.source)


@dataclass(frozen=True, slots=True)
class FloorResult:
    """One floor beside what was measured; ``measured`` is None when the size was not run."""

    floor: Floor
    measured: float | None

    @property
    def outcome(self) -> Outcome:
        if self.measured is None:
            return Outcome.NOT_MEASURED
        return Outcome.MET if self.measured >= self.floor.bus_bandwidth else Outcome.BELOW

    @property
    def sentence(self) -> str:
        floor = self.floor
        found = "was not measured" if self.measured is None else f"{self.measured:.2f} GiB/s"
        says = f"{floor.operation} at {floor.size_bytes} bytes: {found}, floor {floor.bus_bandwidth:.2f} GiB/s"
        return says if floor.fails_the_check else f"{says} (not enforced: {floor.source or 'no source'})"


def read_floors(rows: Iterable[Mapping[str, object]]) -> list[Floor]:
    """The chart's value ``floors``: rows with operation, bytes, busBandwidthGibps, source, enforced."""
    return [
        Floor(
            operation=str(row["operation"]),
            size_bytes=int(str(row["bytes"])),
            bus_bandwidth=float(str(row["busBandwidthGibps"])),
            source=str(row["source"]),
            enforced=row["enforced"] is True,
        )
        for row in rows
    ]


def read_table(operation: str, output: str) -> list[Measurement]:
    """The measurements in the output of one run. Raises UnreadableOutput when the tool failed or printed no line."""
    marked = [line.strip() for line in output.splitlines() if any(mark in line for mark in FAILURE_MARKS)]
    if marked:
        raise UnreadableOutput("; ".join(marked))
    measurements = list(_rows(operation, output))
    if not measurements:
        raise UnreadableOutput(f"no table with {SIZE} and {BUS_BANDWIDTH} in the output of nccom-test")
    return measurements


def _rows(operation: str, output: str) -> Iterator[Measurement]:
    header: list[str] = []
    for line in output.splitlines():
        cells = line.split()
        if SIZE in cells and BUS_BANDWIDTH in cells:
            header = cells
        elif header and len(cells) == len(header) and cells[0].isdigit():
            yield _measurement(operation, dict(zip(header, cells, strict=True)))


def _measurement(operation: str, row: Mapping[str, str]) -> Measurement:
    time_title = next((title for title in TIMES if title in row), None)
    if time_title is None or ALGORITHM_BANDWIDTH not in row:
        wanted = f"{' or '.join(TIMES)}, and {ALGORITHM_BANDWIDTH}"
        raise UnreadableOutput(f"the table of nccom-test has no {wanted}; its columns are {', '.join(row)}")
    try:
        return Measurement(
            operation=operation,
            size_bytes=int(row[SIZE]),
            time_us=float(row[time_title]),
            algorithm_bandwidth=float(row[ALGORITHM_BANDWIDTH]),
            bus_bandwidth=float(row[BUS_BANDWIDTH]),
        )
    except ValueError as problem:
        raise UnreadableOutput(f"a line of nccom-test's table holds no numbers: {' '.join(row.values())}") from problem


def judge(floors: Iterable[Floor], measurements: Iterable[Measurement]) -> list[FloorResult]:
    """Every floor beside the slowest measurement of its operation and size."""
    slowest: dict[tuple[str, int], float] = {}
    for one in measurements:
        key = (one.operation, one.size_bytes)
        slowest[key] = min(one.bus_bandwidth, slowest.get(key, one.bus_bandwidth))
    return [FloorResult(floor, slowest.get((floor.operation, floor.size_bytes))) for floor in floors]


def verdict(results: Iterable[FloorResult]) -> Verdict:
    """Failed when a floor that counts was not met (or not measured), warned when only others were not."""
    missed = [result for result in results if result.outcome is not Outcome.MET]
    if any(result.floor.fails_the_check for result in missed):
        return Verdict.FAILED
    return Verdict.WARNED if missed else Verdict.PASSED


def summary(measurements: Iterable[Measurement], results: Iterable[FloorResult], pairs: Iterable[str] = ()) -> str:
    """The page for the person on call: the table, then one line for each floor, then those of pairs of nodes."""
    lines = [f"{'operation':<16}{'bytes':>14}{'time us':>14}{'bus GiB/s':>12}"]
    lines += [
        f"{one.operation:<16}{one.size_bytes:>14}{one.time_us:>14.2f}{one.bus_bandwidth:>12.2f}" for one in measurements
    ]
    results = list(results)
    lines += [f"{result.outcome}: {result.sentence}" for result in results]
    lines += pairs
    lines += [f"verdict: {verdict(results)}"]
    return "\n".join(lines) + "\n"


def result_document(
    labels: Mapping[str, str],
    measurements: Iterable[Measurement],
    results: Iterable[FloorResult],
    pairs: Iterable[Mapping[str, object]] = (),
) -> str:
    """The whole result as JSON, with sorted keys."""
    results = list(results)
    document = {
        "labels": dict(labels),
        "verdict": verdict(results),
        "measurements": [asdict(one) for one in measurements],
        "floors": [asdict(one.floor) | {"measured": one.measured, "outcome": one.outcome} for one in results],
        "pairs": list(pairs),
    }
    return json.dumps(document, indent=2, sort_keys=True)
