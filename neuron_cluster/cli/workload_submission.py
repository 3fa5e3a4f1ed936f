"""Submitting a rendered workload: by helm, by a command on a node of the environment, or by a request to AWS."""

from __future__ import annotations

import argparse
import shlex
import sys
from typing import TYPE_CHECKING, Any

from neuron_cluster.cli.terminal import print_json
from neuron_cluster.cli.workload_rendering import document_of, show_remarks
from neuron_cluster.findings.text import printable
from neuron_cluster.protocol.submission import VALUES_FILE, ApiCall, HelmInstall, NodeCommand, SessionCommand

if TYPE_CHECKING:
    from collections.abc import Callable

    from neuron_cluster.aws.run_command import Invocation
    from neuron_cluster.deploy.destination import Destination
    from neuron_cluster.deploy.job_submission import SentJob, SubmittedJob
    from neuron_cluster.deploy.session_submission import SessionJob
    from neuron_cluster.opened_environment import OpenedEnvironment
    from neuron_cluster.protocol.workload import Rendered

STATE_SECONDS = 15.0
"""How long no line is printed while the state of the command does not change."""


def submit(opened: OpenedEnvironment, rendered: Rendered, options: argparse.Namespace) -> int:
    """Submits it, or with ``--dry-run`` prints the commands that do. Raises ``ToolkitError``."""
    submission = rendered.submission
    if isinstance(submission, HelmInstall):
        return _install(submission, rendered, options)
    if isinstance(submission, NodeCommand):
        return _send(opened, submission, rendered, options)
    if isinstance(submission, SessionCommand):
        return _open_session(opened, submission, rendered, options)
    if isinstance(submission, ApiCall):
        return _start(opened, submission, rendered, options)
    raise TypeError(f"the scheduler has rendered a workload without a submission: {rendered.files.keys()}")


def _install(install: HelmInstall, rendered: Rendered, options: argparse.Namespace) -> int:
    target = install.target()
    command = shlex.join([str(install.helm.binary), *target.arguments(), "--values", VALUES_FILE])
    if not options.dry_run:
        install.require_permissions(target)
    output = "" if options.dry_run else install.helm.install(target, install.values)
    if options.format == "json":
        print_json({**document_of(rendered), "command": command, "helm": output})
        return 0
    show_remarks(rendered)
    if options.dry_run:
        print(command)
        print(f"{VALUES_FILE} is the output of `workload render --values-only`", file=sys.stderr)
    else:
        print(printable(output.expandtabs()), end="")
    return 0


def _send(opened: OpenedEnvironment, command: NodeCommand, rendered: Rendered, options: argparse.Namespace) -> int:
    if options.format == "text":
        show_remarks(rendered)
    submitted = None if options.dry_run else _submitted(opened, command, options)
    if options.format == "json":
        result: dict[str, Any] = {
            "commands": list(rendered.commands),
            "instance": submitted.sent.instance_id if submitted is not None else None,
            "command_id": submitted.sent.command_id if submitted is not None else None,
            "job_id": submitted.job_id if submitted is not None else None,
            "output": submitted.output if submitted is not None else "",
        }
        print_json({**document_of(rendered), **result})
    elif submitted is None:
        print("\n".join(rendered.commands))
    else:
        print(printable(submitted.output))
        print(f"Job {submitted.job_id} was submitted on {submitted.sent.instance_id}.")
    return 0


def _open_session(
    opened: OpenedEnvironment, command: SessionCommand, rendered: Rendered, options: argparse.Namespace
) -> int:
    if options.format == "text":
        show_remarks(rendered)
    submitted = None if options.dry_run else _submitted_in_session(opened, command, options)
    if options.format == "json":
        result: dict[str, Any] = {
            "commands": list(rendered.commands),
            "job_id": submitted.job_id if submitted is not None else None,
            "output": submitted.output if submitted is not None else "",
        }
        print_json({**document_of(rendered), **result})
    elif submitted is None:
        print("\n".join(rendered.commands))
    else:
        print(printable(submitted.output))
        print(f"Job {submitted.job_id} was submitted on {command.node}.")
    return 0


def _submitted_in_session(
    opened: OpenedEnvironment, command: SessionCommand, options: argparse.Namespace
) -> SessionJob:
    """Only credentials of the account of the file are used."""
    from neuron_cluster.cli.destination import opened_destination
    from neuron_cluster.cli.interruption import interruptible
    from neuron_cluster.deploy.job_submission import require_own_account
    from neuron_cluster.deploy.session_submission import require_session_programs, submit_in_session

    with interruptible(), opened_destination(opened, sys.stderr, local=options.local) as destination:
        require_session_programs(destination)
        require_own_account(opened, destination)
        _progress(f"Submitting the job in a session on {command.node}, {destination.description}.")
        return submit_in_session(command, destination)


def _start(opened: OpenedEnvironment, call: ApiCall, rendered: Rendered, options: argparse.Namespace) -> int:
    if options.format == "text":
        show_remarks(rendered)
    job_id = None if options.dry_run else _started(opened, call, options)
    if options.format == "json":
        print_json({**document_of(rendered), "commands": list(rendered.commands), "job_id": job_id})
    elif job_id is None:
        print("\n".join(rendered.commands))
    else:
        print(f"Job {job_id} was submitted.")
    return 0


def _started(opened: OpenedEnvironment, call: ApiCall, options: argparse.Namespace) -> str:
    """Only credentials of the account of the file are used."""
    from neuron_cluster.cli.destination import opened_destination
    from neuron_cluster.deploy.api_jobs import start_job
    from neuron_cluster.deploy.job_submission import require_own_account

    with opened_destination(opened, sys.stderr, local=options.local) as destination:
        require_own_account(opened, destination)
        _progress(f"Submitting the job in {destination.description}.")
        return start_job(call, destination.target)


def _submitted(opened: OpenedEnvironment, command: NodeCommand, options: argparse.Namespace) -> SubmittedJob:
    """Only credentials of the account of the file are used."""
    from neuron_cluster.cli.destination import opened_destination
    from neuron_cluster.cli.interruption import interruptible
    from neuron_cluster.deploy.job_submission import await_job, require_own_account, send_job

    with interruptible(), opened_destination(opened, sys.stderr, local=options.local) as destination:
        require_own_account(opened, destination)
        _progress(f"Submitting the job on {command.node}, {destination.description}.")
        sent = send_job(command, destination)
        _progress(f"Sent to {sent.instance_id} as command {sent.command_id}.")
        try:
            return await_job(command, sent, destination, _state_lines())
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
