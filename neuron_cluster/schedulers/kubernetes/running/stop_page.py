"""How a workload was stopped."""

from __future__ import annotations

from collections.abc import Sequence

from neuron_cluster.report.text_page import TextPage
from neuron_cluster.schedulers.kubernetes.running.exit_code import meaning_of
from neuron_cluster.schedulers.kubernetes.running.stopping import Stopped


def stop_page(stopped: Stopped, heading: str, chart: str, folder: str | None, undo: Sequence[str]) -> TextPage:
    """Its checkpoint as far as the log of the leader reports one; ``undo`` are commands that start it again."""
    progress = stopped.progress
    checkpoint = progress.checkpoint if progress is not None else None
    codes = ", ".join(f"{code} ({pod})" for pod, code in stopped.exit_codes.items())
    facts = (
        *((("exit codes", codes),) if codes else ()),
        *((("checkpoint", _checkpoint(checkpoint, folder)),) if folder is not None or checkpoint is not None else ()),
        *((("last line", progress.last_line),) if progress is not None and progress.last_line else ()),
        *((("still running", ", ".join(stopped.left)),) if stopped.left else ()),
        *(("start again", f"`{command}`") for command in undo),
    )
    return TextPage(f"{heading}: {_state(stopped)}", _lead(stopped, chart), facts=facts)


def _state(stopped: Stopped) -> str:
    if stopped.left:
        return f"{len(stopped.left)} pods still run after {stopped.seconds:.0f} s"
    return f"stopped in {stopped.seconds:.0f} s"


def _checkpoint(line: str | None, folder: str | None) -> str:
    if line is None:
        return f"the log does not name one; see {folder}"
    return f"{line}; in {folder}" if folder is not None else line


def _lead(stopped: Stopped, chart: str) -> str:
    """About exit codes of pods that did not end because they were to."""
    others = {code: meaning_of(code, chart) for code in sorted(set(stopped.exit_codes.values()))}
    return " ".join(f"Exit code {code}: {means.text}." for code, means in others.items() if not means.is_stop)
