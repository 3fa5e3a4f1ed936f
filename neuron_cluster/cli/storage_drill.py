"""``neuron-cluster storage drill``: restores the newest complete checkpoint of the bucket, and compares it."""

from __future__ import annotations

import argparse
import contextlib
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from neuron_cluster.cli.arguments import Verbs, add_environment, add_verb

if TYPE_CHECKING:
    from neuron_cluster.checkpoints.checkpoint_drill import Report
    from neuron_cluster.deploy.checkpoint_objects import CheckpointObjects
    from neuron_cluster.deploy.destination import Destination
    from neuron_cluster.opened_environment import OpenedEnvironment
    from neuron_cluster.plan.cluster_plan import ClusterPlan

TEXT = """Restore the newest complete checkpoint of the environment's bucket into an empty
folder here, and compare each file with the manifest that neuron-training wrote
last (_manifest.json): missing, short, long, late (the manifest was there before
the file), changed or exchanged with another file. Newer checkpoints with faults
are named. Reads the bucket and changes nothing in it.

Exits with status 1 for a fault, or without a complete checkpoint. Contents are
compared where the manifest has checksums (checkpoints.checksums of the chart).

In the cluster, from the mounted file system, the chart model-store does the
same: `neuron-cluster workload submit model-store NAME --set job=drill`."""

EXAMPLES = """  neuron-cluster storage drill train-trn1 --prefix checkpoints/default/llama
  neuron-cluster storage drill train-trn1 --into /scratch/llama
  neuron-cluster storage drill train-trn1 --local --format json"""


def add_to(actions: Verbs) -> None:
    parser = add_verb(
        actions, "drill", run, summary="restore the newest checkpoint and compare it", text=TEXT, examples=EXAMPLES
    )
    add_environment(parser)
    parser.add_argument("--local", action="store_true", help="read the bucket of the running local AWS")
    parser.add_argument(
        "--bucket", metavar="NAME", help="another bucket (default: the checkpoint bucket of the environment)"
    )
    parser.add_argument(
        "--prefix",
        metavar="PREFIX",
        help="where to look, such as the folder of one release (default: the prefix of storage.lustre.sync, or "
        "checkpoints)",
    )
    parser.add_argument(
        "--into",
        metavar="DIR",
        type=Path,
        help="new or empty folder, which keeps what was restored (default: a temporary one that is deleted)",
    )
    parser.add_argument(
        "--wait-seconds",
        metavar="S",
        type=_seconds,
        default=0.0,
        help="look again after so long for files that are missing, as exports are late (default: 0)",
    )


def run(options: argparse.Namespace) -> int:
    from neuron_cluster.cli.destination import opened_destination
    from neuron_cluster.cli.interruption import interruptible
    from neuron_cluster.cli.open_environment import open_environment

    opened = open_environment(options)
    stream = sys.stderr if options.format == "json" else sys.stdout
    with (
        interruptible(),
        _empty_folder(options.into) as folder,
        opened_destination(opened, stream, local=options.local) as destination,
    ):
        objects = _objects(options, opened.plan, destination)
        report = _drilled(objects, folder, options.wait_seconds)
    _show(options, opened, objects, report)
    return int(not report.passed)


def _objects(options: argparse.Namespace, plan: ClusterPlan, destination: Destination) -> CheckpointObjects:
    from neuron_cluster.access.prefixes import prefixes_of
    from neuron_cluster.deploy.checkpoint_objects import CheckpointObjects, checkpoint_bucket

    bucket = options.bucket or checkpoint_bucket(plan, destination)
    prefix = options.prefix if options.prefix is not None else prefixes_of(plan)[0]
    return CheckpointObjects(destination.target, bucket, prefix)


def _drilled(objects: CheckpointObjects, folder: Path, wait_seconds: float) -> Report:
    """Raises ``ToolkitError`` when the folder is too small, or cannot be written."""
    from neuron_cluster.checkpoints.checkpoint_drill import Drill, NoSpace
    from neuron_cluster.errors import ToolkitError

    hint = "name a folder on a larger file system with --into"
    try:
        return Drill(source=objects, into=folder, wait_seconds=wait_seconds).run()
    except NoSpace as problem:
        raise ToolkitError(str(problem), hint=hint) from problem
    except OSError as problem:
        raise ToolkitError(f"the drill cannot write to {folder}: {problem}", hint=hint) from problem


def _show(options: argparse.Namespace, opened: OpenedEnvironment, objects: CheckpointObjects, report: Report) -> None:
    from neuron_cluster.cli.terminal import print_json, print_paragraph

    if options.format == "json":
        findings = [finding.as_dict() for finding in opened.findings]
        names = {"environment": opened.plan.name, "source": str(objects)}
        print_json({**names, **report.as_data(), "findings": findings})
        return
    print_paragraph(f"{objects}:", sys.stdout)
    for sentence in report.sentences():
        print_paragraph(sentence, sys.stdout)


@contextlib.contextmanager
def _empty_folder(given: Path | None) -> Iterator[Path]:
    """Raises ``ToolkitError`` for a folder with content."""
    from neuron_cluster.errors import ToolkitError

    if given is None:
        with tempfile.TemporaryDirectory(prefix="neuron-cluster-drill-") as folder:
            yield Path(folder)
        return
    if given.exists() and (not given.is_dir() or any(given.iterdir())):
        raise ToolkitError(f"--into {given} is not an empty folder", hint="name a new or an empty folder")
    yield given


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= 86_400:  # noqa: PLR2004  a day
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds from 0 to 86400")
    return seconds
