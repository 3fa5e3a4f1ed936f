"""Progress of stacks on the terminal: one line each that changes in place, or plain lines where nothing can."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Self, TextIO

from neuron_cluster.cli.terminal import is_coloured, width
from neuron_cluster.findings.text import printable

if TYPE_CHECKING:
    from rich.live import Live

    from neuron_cluster.deploy.progress import StackProgress

QUIET_SECONDS = 20.0
"""Without a terminal: how long no line may be printed while something is in progress."""


def no_closing(_: Sequence[StackProgress]) -> str:
    """Shows no line below the stacks."""
    return ""


class ProgressDisplay:
    """Shows the progress of stacks on a stream; to be used as a context."""

    def __init__(self, stream: TextIO, closing: Callable[[Sequence[StackProgress]], str] = no_closing) -> None:
        """``closing`` returns the line below the stacks, or an empty one."""
        self._stream = stream
        self._closing = closing
        self._live = _live(stream) if stream.isatty() else None
        self._printed: dict[str, str] = {}
        self._last_printed = time.monotonic()

    def show(self, stacks: Sequence[StackProgress]) -> None:
        """Brings the display up to date."""
        if self._live is not None:
            from rich.text import Text

            longest = max((len(stack.name) for stack in stacks), default=0)
            lines = [_line(stack, width(), longest) for stack in stacks]
            self._live.update(Text("\n".join([*lines, *self._closing_lines(stacks, width())])))
            return
        for stack in stacks:
            if self._printed.get(stack.name, "waiting") != stack.status:
                self._print(_line(stack, 0))
            self._printed[stack.name] = stack.status
        running = [stack for stack in stacks if stack.is_running]
        if running and time.monotonic() - self._last_printed > QUIET_SECONDS:
            for line in (*(_line(stack, 0) for stack in running), *self._closing_lines(stacks, 0)):
                self._print(line)

    def _closing_lines(self, stacks: Sequence[StackProgress], columns: int) -> list[str]:
        closing = self._closing(stacks)
        return [_cut(printable(closing), columns)] if closing else []

    def _print(self, line: str) -> None:
        print(line, file=self._stream, flush=True)
        self._last_printed = time.monotonic()

    def __enter__(self) -> Self:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()


def _live(stream: TextIO) -> Live:
    from rich.live import Live

    from neuron_cluster.cli.rich_table import console

    return Live(console=console(stream, width(), colour=is_coloured(stream)), refresh_per_second=8, transient=False)


def _line(stack: StackProgress, columns: int, name_columns: int = 0) -> str:
    """``train-trn1-network  CREATE_IN_PROGRESS  12/34  41 s  slowest: NatGateway (AWS::EC2::NatGateway) 38 s``."""
    counted = f"{stack.done}/{stack.total}" if stack.total is not None else f"{stack.done} done"
    parts = [stack.name.ljust(name_columns), stack.status]
    if stack.has_changed:
        parts += [counted, duration(stack.seconds)]
    if stack.slowest and stack.slowest_seconds >= 1:
        parts.append(f"slowest: {stack.slowest} {duration(stack.slowest_seconds)}")
    return _cut(printable("  ".join(parts)), columns)


def _cut(line: str, columns: int) -> str:
    return line if not columns or len(line) <= columns else line[: columns - 1] + "…"


def duration(seconds: float) -> str:
    """``41 s``, ``12 min 05 s``, ``1 h 02 min``."""
    minutes, rest = divmod(round(max(0, seconds)), 60)
    hours, minutes_of_hour = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes_of_hour:02d} min"
    return f"{minutes} min {rest:02d} s" if minutes else f"{rest} s"
