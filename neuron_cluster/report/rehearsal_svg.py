"""A rehearsal as a drawing (SVG): a bar for each container, marks for faults and checkpoints."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from xml.sax.saxutils import escape

from msgspec import Struct

from neuron_cluster.rehearsal.outcome import NOT_CAUSED, Outcome
from neuron_cluster.rehearsal.timeline import Event, Source, duration

STARTERS = (Source.KUBELET, Source.SAGEMAKER, Source.SLURM)
"""The controllers that start containers."""
HOSTS = (Source.SAGEMAKER, Source.SLURM)
"""Schedulers whose containers are hosts: each has a name of its own."""
WIDTH, LEFT, RIGHT, ROW, TOP = 1200, 260, 20, 22, 64
MOST_TICKS = 10
TICKS = (60, 300, 600, 1200, 1800, 3600, 7200, 14400, 28800, 86400)
"""Seconds between two marks of the time axis."""
STYLE = (
    "text{font:12px sans-serif;fill:#1f2933}.title{font-size:15px}"
    ".small{font-size:10px;fill:#52606d}.code{font-size:10px;fill:#fff}"
    ".run{fill:#4c78a8}.failed{fill:#d9822b}.fault{stroke:#c23030;stroke-width:1.5}.faultname{fill:#c23030}"
    ".grid{stroke:#d9dee5}.saved{fill:#2f9e44}"
)


class Bar(Struct, frozen=True):
    """One run of a pod's containers."""

    pod: str
    start: float
    end: float
    exit_code: str
    """Empty where it ran to the end of the rehearsal."""
    row: str
    """Pods of one index share a row: the name without its random end."""

    @property
    def failed(self) -> bool:
        return self.exit_code != "0"


def rehearsal_svg(outcome: Outcome, workload: str) -> str:
    """The whole document. Colours are not the only difference: failed runs end with their exit code."""
    bars = list(_bars(outcome))
    rows = sorted({bar.row for bar in bars})
    height = TOP + ROW * (len(rows) + 1) + 40
    scale = (WIDTH - LEFT - RIGHT) / max(outcome.seconds, 1)
    title = f"{workload}: {outcome.ended} after {duration(outcome.seconds)}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">',
        f"<title>{escape(title)}</title>",
        f"<style>{STYLE}</style>",
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
        f'<text class="title" x="12" y="24">{escape(title)}</text>',
        *_axis(outcome.seconds, scale, height),
        *_rows(rows, bars, scale),
        *_checkpoints(outcome.events, scale, TOP + ROW * len(rows)),
        *_faults(outcome.events, scale, height),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _bars(outcome: Outcome) -> Iterator[Bar]:
    started: dict[str, float] = {}
    hosts = {event.subject for event in outcome.events if event.source in HOSTS}
    for event in outcome.events:
        if event.source in STARTERS and event.reason == "Started":
            started.setdefault(event.subject, event.at)
        elif event.source in STARTERS and event.reason == "Exited" and event.subject in started:
            code = event.message.rpartition("exit code ")[2]
            yield Bar(event.subject, started.pop(event.subject), event.at, code, _row(event.subject, hosts))
    for pod, start in started.items():
        yield Bar(pod, start, outcome.seconds, "", _row(pod, hosts))


def _row(name: str, hosts: Container[str]) -> str:
    return name if name in hosts else name.rpartition("-")[0] or name


def _x(at: float, scale: float) -> float:
    return round(LEFT + at * scale, 1)


def _axis(seconds: float, scale: float, height: int) -> Iterator[str]:
    step = next((each for each in TICKS if seconds / each <= MOST_TICKS), TICKS[-1])
    for at in range(0, int(seconds) + 1, step):
        x = _x(at, scale)
        yield f'<line class="grid" x1="{x}" y1="{TOP - 8}" x2="{x}" y2="{height - 24}"/>'
        yield f'<text class="small" x="{x}" y="{height - 10}" text-anchor="middle">{duration(at)}</text>'


def _rows(rows: Sequence[str], bars: Sequence[Bar], scale: float) -> Iterator[str]:
    for number, row in enumerate(rows):
        y = TOP + ROW * number
        yield f'<text x="{LEFT - 10}" y="{y + 14}" text-anchor="end">{escape(row)}</text>'
        for bar in bars:
            if bar.row == row:
                wide = max(round((bar.end - bar.start) * scale, 1), 2)
                yield (
                    f'<rect class="{"failed" if bar.failed else "run"}" x="{_x(bar.start, scale)}" y="{y + 3}" '
                    f'width="{wide}" height="{ROW - 8}" rx="2"><title>{escape(bar.pod)}, {duration(bar.start)} to '
                    f"{duration(bar.end)}</title></rect>"
                )
                if bar.failed and bar.exit_code:
                    x = _x(bar.end, scale) - 4
                    yield f'<text class="code" x="{x}" y="{y + 14}" text-anchor="end">exit {bar.exit_code}</text>'


def _checkpoints(events: Sequence[Event], scale: float, y: float) -> Iterator[str]:
    yield f'<text x="{LEFT - 10}" y="{y + 14}" text-anchor="end">checkpoints</text>'
    for event in events:
        if event.source is Source.PROGRAM and event.reason == "Saved":
            x = _x(event.at, scale)
            yield f'<circle class="saved" cx="{x}" cy="{y + 10}" r="4"><title>{escape(event.message)}</title></circle>'


def _faults(events: Sequence[Event], scale: float, height: int) -> Iterator[str]:
    for event in events:
        if event.source is Source.FAULT and event.reason != NOT_CAUSED:
            x = _x(event.at, scale)
            yield f'<line class="fault" x1="{x}" y1="{TOP - 12}" x2="{x}" y2="{height - 24}"/>'
            yield f'<text class="faultname" x="{x}" y="{TOP - 16}" text-anchor="middle">{escape(event.reason)}</text>'
