"""``neuron-cluster storage simulate``: what a training loses to saves and failures, as a distribution."""

from __future__ import annotations

import argparse
import functools
from typing import TYPE_CHECKING

from neuron_cluster.cli.arguments import Verbs, add_local_lock, add_verb
from neuron_cluster.cli.checkpoint_arguments import (
    DEPLOYMENT_TYPE,
    a_positive,
    add_checkpoint_arguments,
    given_options,
    missing_options,
    spec_of,
)
from neuron_cluster.protocol.option import a_count

if TYPE_CHECKING:
    from neuron_cluster.checkpoints.assessment import Assessment
    from neuron_cluster.checkpoints.spec import CheckpointSpec
    from neuron_cluster.report.checkpoint_simulation_page import Simulation

LONGEST_DAYS, MOST_RUNS = 366, 10_000
MINUTES_OF_A_DAY = 24 * 60

TEXT = """Simulate the training of an environment (`storage.checkpoints`) on its file
system, or without NAME one on the file system that `storage size` chooses:
saves, failures of nodes at random, restarts, and the export to the bucket.
Prints how many device-hours are lost to each, over several runs, beside what
the formulas of Young and Daly expect. The same seed gives the same runs."""

EXAMPLES = """  neuron-cluster storage simulate train-trn1
  neuron-cluster storage simulate --parameters 70B --framework dcp \\
    --instance-type trn1.32xlarge --nodes 32 --region us-east-2
  neuron-cluster storage simulate --model llama-3.1-405b --framework dcp \\
    --instance-type trn2.48xlarge --nodes 64 --region us-east-2 \\
    --mode async --days 14 --closing-save-minutes 20 --format json"""


def add_to(actions: Verbs) -> None:
    parser = add_verb(
        actions, "simulate", run, summary="simulate what failures and saves cost", text=TEXT, examples=EXAMPLES
    )
    parser.set_defaults(run=functools.partial(_checked, parser))
    parser.add_argument(
        "environment",
        metavar="NAME",
        nargs="?",
        help="name of an environment in environments/, or path of a file; without it the options describe the training",
    )
    add_local_lock(parser)
    add_checkpoint_arguments(parser, required=False)
    group = parser.add_argument_group("simulation")
    group.add_argument("--days", metavar="N", type=_days, default=30.0, help=f"up to {LONGEST_DAYS} (default: 30)")
    group.add_argument("--runs", metavar="N", type=_runs, default=20, help="number of runs (default: 20)")
    group.add_argument("--seed", metavar="N", type=a_count, default=1, help="of the first run (default: 1)")
    group.add_argument(
        "--closing-save-minutes",
        metavar="N",
        type=a_positive,
        help="save once more N minutes before the end, as before the end of a capacity block",
    )


def _checked(parser: argparse.ArgumentParser, options: argparse.Namespace) -> int:
    given, missing = given_options(options), missing_options(options)
    if options.environment is not None and given:
        parser.error(f"NAME has storage.checkpoints, which describes the training: leave out {', '.join(given)}")
    if options.environment is None and missing:
        parser.error(f"expected NAME, or options that describe the training: {', '.join(missing)} is missing")
    return run(options)


def run(options: argparse.Namespace) -> int:
    from neuron_cluster.cli.terminal import print_json, print_tables
    from neuron_cluster.report.checkpoint_simulation_page import simulation_as_data, simulation_tables

    found = _simulation(options)
    if options.format == "json":
        print_json(simulation_as_data(found))
    else:
        print_tables(simulation_tables(found))
    return 0


def _simulation(options: argparse.Namespace) -> Simulation:
    """Raises ToolkitError where no file system takes the checkpoints."""
    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.checkpoints.simulation import simulate
    from neuron_cluster.errors import ToolkitError
    from neuron_cluster.report.checkpoint_simulation_page import Simulation

    name, spec, assessment, instance_type = _described(options) if options.environment is None else _planned(options)
    row = load_catalog().instance_types.get(instance_type)
    minutes = options.closing_save_minutes
    if minutes is not None and minutes >= options.days * MINUTES_OF_A_DAY:
        raise ToolkitError(
            f"--closing-save-minutes: {minutes:g} minutes before the end is before the start of {options.days:g} days",
            hint="give a shorter time, or more --days",
        )
    closing_save = minutes * 60 if minutes is not None else None
    seeds = range(options.seed, options.seed + options.runs)
    return Simulation(
        environment=name,
        spec=spec,
        assessment=assessment,
        devices_per_node=(row.neuron_devices if row is not None else None) or 1,
        days=options.days,
        seed=options.seed,
        runs=tuple(simulate(spec, assessment, options.days, seed, closing_save) for seed in seeds),
    )


def _described(options: argparse.Namespace) -> tuple[None, CheckpointSpec, Assessment, str]:
    """Returns the training that the options describe, on the cheapest file system."""
    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.checkpoints.plan_checkpoints import plan_checkpoints
    from neuron_cluster.errors import ToolkitError
    from neuron_cluster.report.checkpoint_page import NONE_FITS

    spec = spec_of(options, load_catalog())
    best = plan_checkpoints(spec, options.region, DEPLOYMENT_TYPE, load_catalog()).best
    if best is None:
        raise ToolkitError(NONE_FITS)
    return None, spec, best.assessment, options.instance_type


def _planned(options: argparse.Namespace) -> tuple[str, CheckpointSpec, Assessment, str]:
    """Returns the training that the file describes, on its file system."""
    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.cli.open_environment import open_environment
    from neuron_cluster.errors import ToolkitError
    from neuron_cluster.plan.checkpoint_storage import checkpoint_storage

    plan = open_environment(options).plan
    found = checkpoint_storage(plan.storage, plan.region, load_catalog())
    checkpoints = plan.storage.checkpoints if plan.storage is not None else None
    if found is None or found.chosen is None or checkpoints is None:
        raise ToolkitError(
            f"{plan.name} has no checkpoints on a file system whose throughput is known",
            hint="set storage.checkpoints, and storage.lustre with storage_type ssd and deployment_type persistent_2 "
            "or scratch_2",
        )
    return plan.name, found.spec, found.chosen.assessment, checkpoints.writers.instance_type


def _days(text: str) -> float:
    days = a_positive(text)
    if days > LONGEST_DAYS:
        raise argparse.ArgumentTypeError(f"{text} days: expected {LONGEST_DAYS} at most")
    return days


def _runs(text: str) -> int:
    runs = a_count(text)
    if runs > MOST_RUNS:
        raise argparse.ArgumentTypeError(f"{text} runs: expected {MOST_RUNS:,} at most")
    return runs
