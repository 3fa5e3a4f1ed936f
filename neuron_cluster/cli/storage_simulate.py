"""``neuron-cluster storage simulate``: what a training loses to saves and failures, as a distribution."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from neuron_cluster.cli.arguments import Verbs, a_count, add_verb
from neuron_cluster.cli.checkpoint_arguments import DEPLOYMENT_TYPE, a_positive, add_checkpoint_arguments, spec_of

if TYPE_CHECKING:
    from neuron_cluster.report.checkpoint_simulation_page import Simulation

LONGEST_DAYS, MOST_RUNS = 366, 10_000
MINUTES_OF_A_DAY = 24 * 60

TEXT = """Simulate a training on the file system that `storage size` chooses: saves,
failures of nodes at random, restarts, and the export to the bucket. Prints how
many device-hours are lost to each, over several runs, beside what the formulas
of Young and Daly expect. The same seed gives the same runs."""

EXAMPLES = """  neuron-cluster storage simulate --parameters 70B --framework dcp \\
    --instance-type trn1.32xlarge --nodes 32 --region us-east-2
  neuron-cluster storage simulate --model llama-3.1-405b --framework dcp \\
    --instance-type trn2.48xlarge --nodes 64 --region us-east-2 \\
    --mode async --days 14 --closing-save-minutes 20 --format json"""


def add_to(actions: Verbs) -> None:
    parser = add_verb(
        actions, "simulate", run, summary="simulate what failures and saves cost", text=TEXT, examples=EXAMPLES
    )
    add_checkpoint_arguments(parser)
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
    from neuron_cluster.checkpoints.plan_checkpoints import plan_checkpoints
    from neuron_cluster.checkpoints.simulation import simulate
    from neuron_cluster.errors import ToolkitError
    from neuron_cluster.report.checkpoint_page import NONE_FITS
    from neuron_cluster.report.checkpoint_simulation_page import Simulation

    catalog = load_catalog()
    spec = spec_of(options, catalog)
    best = plan_checkpoints(spec, options.region, DEPLOYMENT_TYPE).best
    row = catalog.instance_type(options.instance_type)
    if best is None:
        raise ToolkitError(NONE_FITS)
    minutes = options.closing_save_minutes
    if minutes is not None and minutes >= options.days * MINUTES_OF_A_DAY:
        raise ToolkitError(
            f"--closing-save-minutes: {minutes:g} minutes before the end is before the start of {options.days:g} days",
            hint="give a shorter time, or more --days",
        )
    closing_save = minutes * 60 if minutes is not None else None
    seeds = range(options.seed, options.seed + options.runs)
    return Simulation(
        spec=spec,
        assessment=best.assessment,
        devices_per_node=(row.neuron_devices if row is not None else None) or 1,
        days=options.days,
        seed=options.seed,
        runs=tuple(simulate(spec, best.assessment, options.days, seed, closing_save) for seed in seeds),
    )


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
