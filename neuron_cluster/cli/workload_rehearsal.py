"""The command ``workload rehearse``: renders, runs the pods on this machine, and shows the outcome."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from msgspec import to_builtins

from neuron_cluster.atomic_write import write_atomically
from neuron_cluster.cli.open_environment import open_environment
from neuron_cluster.cli.terminal import print_findings, print_json, print_tables, width
from neuron_cluster.cli.workload_options import option_values
from neuron_cluster.cli.workload_rendering import report_errors
from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.suggestions import did_you_mean_one_of
from neuron_cluster.opened_environment import OpenedEnvironment
from neuron_cluster.protocol.scheduler import Scheduler
from neuron_cluster.rehearsal.fault_notation import read_fault
from neuron_cluster.rehearsal.given_files import read_given_file
from neuron_cluster.rehearsal.outcome import COMPLETED
from neuron_cluster.rehearsal.rehearsal_plan import Ran, Request
from neuron_cluster.rehearsal.setup import rehearse
from neuron_cluster.rehearsal.timeline import duration
from neuron_cluster.report.rehearsal_page import outcome_page, timeline_table
from neuron_cluster.report.rehearsal_svg import rehearsal_svg
from neuron_cluster.report.text_page import text_of

_SECONDS = re.compile(r"[0-9]{1,9}(\.[0-9]{1,3})?")


def rehearse_workload(scheduler: Scheduler, options: argparse.Namespace, opened: OpenedEnvironment | None) -> int:
    """0 where the workload completes and every fault happened, else 1. ``opened`` is the environment, if it is open."""
    _check_places(options)
    request = _request(scheduler, options)
    opened = opened or open_environment(options)
    values = option_values(scheduler, options, "rehearse")
    planned = scheduler.rehearsal(opened, options.chart, values, request)
    progress = _progress(options)
    if planned.run is not None:
        print_findings(planned.findings)
        ran = planned.run(options.keep, progress)
    elif planned.plan is not None:
        print_findings(planned.findings)
        ran = Ran(outcome=rehearse(planned.plan, opened.catalog, keep=options.keep, progress=progress))
    else:
        return report_errors(planned.findings, options)
    _show(ran, planned.name, options)
    return 0 if ran.outcome.ended == COMPLETED and not ran.outcome.missed_faults else 1


def _request(scheduler: Scheduler, options: argparse.Namespace) -> Request:
    has_time_limit = any(option.name == "--time" for option in scheduler.options)
    limits = [setting for setting in options.times if has_time_limit and "=" not in setting]
    return Request(
        time_limit=limits[-1] if limits else None,
        faults=tuple(read_fault(text, scheduler.fault_kinds()) for text in options.faults),
        nodes=options.nodes,
        steps=options.steps,
        ranks=options.ranks,
        compile_seconds=options.compile_seconds,
        limit_hours=options.limit,
        seconds=_timings(setting for setting in options.times if setting not in limits),
        trainer=options.trainer,
        step_seconds=options.step_seconds,
        checkpoint_every=options.checkpoint_every,
        save_seconds=options.save_seconds,
        files=tuple(read_given_file(text) for text in options.files),
    )


def _check_places(options: argparse.Namespace) -> None:
    """Before anything runs, so that the result of a long rehearsal is not lost."""
    if options.keep is not None and options.keep.exists():
        if not options.keep.is_dir():
            raise ToolkitError(f"--keep {options.keep} is not a folder", hint="name a new folder")
        if any(options.keep.iterdir()):
            raise ToolkitError(f"--keep {options.keep} is not empty", hint="name a new folder, or empty this one")
    elif options.keep is not None:
        try:
            options.keep.mkdir(parents=True)
        except OSError as error:
            message = f"--keep {options.keep} cannot be created: {error.strerror}"
            raise ToolkitError(message, hint="name a folder that you may create") from error
    if options.svg is not None and Path(options.svg).is_dir():
        raise ToolkitError(f"--svg {options.svg} is a folder", hint="name a file")
    if options.svg is not None and not Path(options.svg).parent.is_dir():
        raise ToolkitError(
            f"--svg {options.svg}: there is no folder {Path(options.svg).parent}", hint="create it first"
        )


def _timings(settings: Iterable[str]) -> dict[str, float]:
    from neuron_cluster.catalog.catalog import load_catalog

    known = load_catalog().controller_timings.names
    found = {}
    for setting in settings:
        name, _, text = setting.partition("=")
        if name not in known:
            near = did_you_mean_one_of(name, known)
            raise ToolkitError(f"--time {setting!r}: no such time", hint=f"{near}times: {', '.join(known)}")
        if _SECONDS.fullmatch(text) is None:
            raise ToolkitError(f"--time {setting!r}: not a number of seconds from 0", hint=f"write {name}=90")
        found[name] = float(text)
    return found


def _progress(options: argparse.Namespace) -> Callable[[float, str], None]:
    """One line that is written again and again; none where standard error is not a terminal."""
    if not sys.stderr.isatty() or options.format == "json":
        return lambda _at, _what: None

    def show(at: float, what: str) -> None:
        print(f"\r\033[K{duration(at)} {what[: width() - 12]}", end="", file=sys.stderr, flush=True)

    return show


def _show(ran: Ran, name: str, options: argparse.Namespace) -> None:
    outcome = ran.outcome
    if sys.stderr.isatty() and options.format != "json":
        print("\r\033[K", end="", file=sys.stderr, flush=True)
    if options.svg is not None:
        write_atomically(Path(options.svg), rehearsal_svg(outcome, name).encode())
    if options.format == "json":
        print_json({"workload": name, **to_builtins(outcome), "training_job": None, "slurm_job": None, **ran.document})
        return
    print(text_of(outcome_page(outcome, name, ran.facts), width()))
    print_tables([timeline_table(outcome.events)])
