"""Opening the environment that the arguments of a verb name."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from neuron_cluster.findings.finding import Finding
    from neuron_cluster.opened_environment import OpenedEnvironment
    from neuron_cluster.pipeline import Checked
    from neuron_cluster.project import EnvironmentFile, Project


def open_environment(
    options: argparse.Namespace, *, with_lock: bool = True, as_of: date | None = None, stack_key: str = ""
) -> OpenedEnvironment:
    """As ``opened_environment``, for the local AWS with the option ``--local``."""
    from neuron_cluster.opened_environment import opened_environment

    is_local = getattr(options, "local", False)
    return opened_environment(
        options.environment, options.project, is_local=is_local, with_lock=with_lock, as_of=as_of, stack_key=stack_key
    )


def check_environment_file(options: argparse.Namespace, *, as_of: date | None = None) -> Checked:
    """Returns what the checks find in the file that the option names, with the lock of the local AWS for ``--local``.

    Raises ``InvalidEnvironment`` for an unknown name, and with ``--local`` outside of a project.
    """
    from neuron_cluster.project import environment_file

    return check_file(options, environment_file(options.environment, options.project), as_of=as_of)


def check_file(options: argparse.Namespace, file: EnvironmentFile, *, as_of: date | None = None) -> Checked:
    """As ``check_environment_file``, for one of several files."""
    from neuron_cluster.opened_environment import checked_file

    return checked_file(file, local_project(options), as_of=as_of)


def local_project(options: argparse.Namespace) -> Project | None:
    """The project whose local AWS ``--local`` means; None without the option."""
    from neuron_cluster.project import require_project

    return require_project(options.project) if options.local else None


def naming_local_lock(
    findings: Sequence[Finding], options: argparse.Namespace, environment: str | None
) -> Sequence[Finding]:
    """The findings; errors that a lock ends name ``--local`` where it is not given and the local AWS has a lock."""
    from msgspec.structs import replace

    from neuron_cluster.config.loader import load_environment
    from neuron_cluster.findings.finding import Severity
    from neuron_cluster.lock.paths import local_locks, lock_command, lock_path
    from neuron_cluster.project import environment_file, find_project, shown_path

    errors = [each for each in findings if each.severity is Severity.ERROR and "`neuron-cluster lock " in each.hint]
    project = find_project(options.project) if errors and not getattr(options, "local", True) else None
    if project is None or not isinstance(environment, str):
        return findings
    file = environment_file(environment, options.project)
    config, command = load_environment(file.path).config, f"`{lock_command(file.display_name)}`"
    lock = lock_path(local_locks(project.root), config.name) if config is not None else None
    if lock is None or not lock.is_file():
        return findings
    text = f"; with --local the command reads {shown_path(lock)}, the lock of the local AWS"
    return [
        replace(each, hint=each.hint + text) if each in errors and command in each.hint else each for each in findings
    ]
