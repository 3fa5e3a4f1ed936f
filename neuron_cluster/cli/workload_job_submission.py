"""A job in ``workload submit``: sent to a login node, or with ``--dry-run`` the commands that send it."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from neuron_cluster.cli.workload_jobs import as_data, rendered_job, report_errors

if TYPE_CHECKING:
    from collections.abc import Callable

    from neuron_cluster.aws.run_command import Invocation
    from neuron_cluster.deploy.destination import Destination
    from neuron_cluster.deploy.job_submission import SentJob, SubmittedJob
    from neuron_cluster.opened_environment import OpenedEnvironment
    from neuron_cluster.protocol.jobs import Job, JobSubmission
    from neuron_cluster.protocol.provider import Provider

STATE_SECONDS = 15.0
"""How long no line is printed while the state of the command does not change."""


def submit_job(found: tuple[Provider, Job], options: argparse.Namespace) -> int:
    """Prints the answer of the scheduler, or with ``--dry-run`` the commands. Raises ``ToolkitError``."""
    from neuron_cluster.cli.terminal import print_findings, print_json
    from neuron_cluster.findings.finding import has_error

    opened, rendered, findings = rendered_job(found, options)
    if rendered.submission is None or has_error(findings):
        return report_errors(findings, options)
    if options.format == "text":
        print_findings(findings)
    submitted = None if options.dry_run else _submitted(opened, rendered.submission, options)
    if options.format == "json":
        result = {
            "commands": list(rendered.commands),
            "instance": submitted.sent.instance_id if submitted is not None else None,
            "command_id": submitted.sent.command_id if submitted is not None else None,
            "job_id": submitted.job_id if submitted is not None else None,
            "output": submitted.output if submitted is not None else "",
        }
        print_json({**as_data(opened, found[1], rendered, findings), **result})
        return 0
    if submitted is None:
        print("\n".join(rendered.commands))
    else:
        _show(submitted)
    return 0


def _submitted(opened: OpenedEnvironment, submission: JobSubmission, options: argparse.Namespace) -> SubmittedJob:
    """Only credentials of the account of the file are used."""
    from neuron_cluster.cli.destination import opened_destination
    from neuron_cluster.cli.interruption import interruptible
    from neuron_cluster.deploy.job_submission import await_job, require_own_account, send_job

    with interruptible(), opened_destination(opened, sys.stderr, local=options.local) as destination:
        require_own_account(opened, destination)
        _progress(f"Submitting the job on {submission.node}, {destination.description}.")
        sent = send_job(submission, destination)
        _progress(f"Sent to {sent.instance_id} as command {sent.command_id}.")
        try:
            return await_job(submission, sent, destination, _state_lines())
        except KeyboardInterrupt:
            _interrupted(sent, destination)
            raise


def _interrupted(sent: SentJob, destination: Destination) -> None:
    _progress("Interrupted. The login node has the command, which may still submit the job. To see its result:")
    _progress(sent.result_command(destination))


def _state_lines() -> Callable[[Invocation, float], None]:
    """Prints the state of the command when it changes, and from time to time."""
    last: list[tuple[str, float]] = []

    def show(found: Invocation, seconds: float) -> None:
        if not last or last[-1][0] != found.status or seconds - last[-1][1] > STATE_SECONDS:
            last.append((found.status, seconds))
            _progress(f"{found.status}, {seconds:.0f} s")

    return show


def _progress(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _show(submitted: SubmittedJob) -> None:
    from neuron_cluster.findings.text import printable

    print(printable(submitted.output))
    print(f"Job {submitted.job_id} was submitted on {submitted.sent.instance_id}.")
