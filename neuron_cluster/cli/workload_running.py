"""Opening the running workload that the arguments of `workload status`, `logs`, `stop` and `why` name."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from neuron_cluster.cli.arguments import add_local_lock
from neuron_cluster.cli.workload_options import (
    add_own_options,
    missing_options,
    option_values,
    require_options,
    require_own_options,
)

if TYPE_CHECKING:
    from neuron_cluster.opened_environment import OpenedEnvironment
    from neuron_cluster.protocol.running_work import RunningWork, Shown
    from neuron_cluster.protocol.scheduler import Scheduler

CONTEXT_TEXT = """--context must be the environment's cluster, as for `workload submit`. Only
reads; the credential plugin of your kubeconfig may call AWS."""


def add_running_work(parser: argparse.ArgumentParser, verb: str, *, is_named: bool = True) -> None:
    """NAME and ENVIRONMENT, which a verb may do without, and the options that schedulers declare for the verb."""
    further: dict[str, Any] = {} if is_named else {"nargs": "?"}
    parser.add_argument("name", metavar="NAME", help="a release, or a chart that has one release", **further)
    parser.add_argument("environment", metavar="ENVIRONMENT", help="name or file of the environment", **further)
    add_local_lock(parser)
    add_own_options(parser, verb)


@contextlib.contextmanager
def opened_work(options: argparse.Namespace, verb: str) -> Iterator[RunningWork]:
    """Raises ``ToolkitError``; ``InvalidEnvironment`` for an environment with errors or another's context."""
    from neuron_cluster.cli.open_environment import open_environment

    opened = open_environment(options)
    scheduler = running_scheduler(opened, options, verb)
    require_own_options(scheduler, options.name, options)
    require_options(scheduler, options, verb)
    job = scheduler.api_job(opened.plan)
    if job is None:
        yield scheduler.running(opened, options.name, option_values(scheduler, options, verb))
        return
    from neuron_cluster.cli.destination import opened_destination
    from neuron_cluster.deploy.api_jobs import ApiWork
    from neuron_cluster.deploy.job_submission import require_own_account

    with opened_destination(opened, sys.stderr, local=options.local) as destination:
        require_own_account(opened, destination)
        yield ApiWork(opened.plan.name, options.name, job, destination.target)


def running_scheduler(opened: OpenedEnvironment, options: argparse.Namespace, verb: str) -> Scheduler:
    """The scheduler of the environment that has the verb, of several the first whose required options are given.

    Without one it is another scheduler with the verb, which reports what the environment does not have.
    """
    from neuron_cluster.protocol.registry import schedulers_of
    from neuron_cluster.protocol.schedulers import schedulers

    able = [each for each in schedulers_of(opened.plan) if verb in each.verbs]
    able = able or [each for each in schedulers() if verb in each.verbs]
    return next((each for each in able if not missing_options(each, options, verb)), able[0])


def show(shown: Shown, options: argparse.Namespace) -> int:
    """Prints it; its exit status."""
    from neuron_cluster.cli.terminal import print_json, width

    if options.format == "json":
        print_json(shown.document)
    else:
        print(shown.text(width()), end="")
    return shown.status
