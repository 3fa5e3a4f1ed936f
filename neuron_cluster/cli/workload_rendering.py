"""Placing and rendering a workload by its scheduler, and what `workload render` prints of it."""

from __future__ import annotations

import argparse
import os
import sys
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from neuron_cluster.atomic_write import write_atomically
from neuron_cluster.cli.open_environment import open_environment
from neuron_cluster.cli.terminal import (
    print_findings,
    print_findings_json,
    print_findings_sarif,
    print_json,
    talk_stream,
)
from neuron_cluster.cli.workload_options import option_values
from neuron_cluster.findings.finding import has_error
from neuron_cluster.protocol.schedulers import require_workload
from neuron_cluster.protocol.workload import Placement, Rendered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from neuron_cluster.findings.finding import Finding
    from neuron_cluster.opened_environment import OpenedEnvironment


class RequestedWorkload:
    """The workload that a verb names. The environment is opened once, at its first use."""

    def __init__(self, options: argparse.Namespace) -> None:
        """Raises ``ToolkitError``, for a name that is none and, where the file has to be read, for its errors."""
        self._options = options
        self.scheduler, self.workload = require_workload(options.chart, lambda: self.opened.plan)

    @cached_property
    def opened(self) -> OpenedEnvironment:
        return open_environment(self._options)


def rendered_workload(
    requested: RequestedWorkload, options: argparse.Namespace, verb: str
) -> tuple[OpenedEnvironment, Rendered | Sequence[Finding]]:
    """The findings where one is an error. Raises ``ToolkitError``."""
    opened, scheduler, workload = requested.opened, requested.scheduler, requested.workload
    placed = scheduler.place(workload, opened, option_values(scheduler, options, verb))
    if not isinstance(placed, Placement):
        return opened, placed
    rendered = scheduler.render(placed)
    return opened, rendered.findings if has_error(rendered.findings) else rendered


def show(rendered: Rendered, options: argparse.Namespace) -> int:
    """Prints or writes its text."""
    if options.output is not None:
        _write(rendered, options.output)
    if options.format == "json":
        print_json(document_of(rendered))
        return 0
    if options.format == "sarif":
        print_findings_sarif(rendered.findings)
        return 0
    if options.output is None:
        print(rendered.text, end="")
    show_remarks(rendered)
    return 0


def show_remarks(rendered: Rendered) -> None:
    """Prints notes and warnings on standard error."""
    print(rendered.notes, end="", file=sys.stderr)
    print_findings(rendered.findings)


def report_errors(findings: Sequence[Finding], options: argparse.Namespace) -> int:
    """Prints the findings; the exit status of a workload that is not rendered."""
    if options.format == "json":
        print_findings_json(findings)
    elif options.format == "sarif":
        print_findings_sarif(findings)
    else:
        print_findings(findings, talk_stream("json"))
    return 1


def document_of(rendered: Rendered) -> dict[str, Any]:
    """The JSON document of `workload render`."""
    return {**rendered.document, "findings": [found.as_dict() for found in rendered.findings]}


def _write(rendered: Rendered, output: str) -> None:
    is_folder, place = output.endswith(os.sep), Path(output)
    if is_folder or place.is_dir():
        for name, text in rendered.files.items():
            write_atomically(place / name, text.encode(), with_folders=is_folder)
    else:
        write_atomically(place, rendered.text.encode())
