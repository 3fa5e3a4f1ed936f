"""Opening the environment that the arguments of a verb name."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import date
    from pathlib import Path

    from neuron_cluster.opened_environment import OpenedEnvironment
    from neuron_cluster.project import EnvironmentFile


def open_environment(
    options: argparse.Namespace, *, with_lock: bool = True, as_of: date | None = None, part: str = ""
) -> OpenedEnvironment:
    """As ``opened_environment``, for the local AWS with the option ``--local``."""
    from neuron_cluster.opened_environment import opened_environment

    is_local = getattr(options, "local", False)
    return opened_environment(
        options.environment, options.project, is_local=is_local, with_lock=with_lock, as_of=as_of, part=part
    )


def locks_of(options: argparse.Namespace, file: EnvironmentFile) -> Path | None:
    """The folder of the lock for the local AWS with the option ``--local``; None: the one beside the file."""
    from neuron_cluster.opened_environment import locks_for
    from neuron_cluster.project import require_project

    return locks_for(file, require_project(options.project), is_local=True) if options.local else None
