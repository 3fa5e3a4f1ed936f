"""``neuron-cluster import``: a bucket that exists, and its key, become the environment's own."""  # noqa: N999 - modules have the names of verbs

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, TextIO

from neuron_cluster.cli.arguments import Verbs, add_environment, add_verb

if TYPE_CHECKING:
    from collections.abc import Sequence

    from neuron_cluster.deploy.bucket_import import BucketImport
    from neuron_cluster.deploy.destination import Destination
    from neuron_cluster.deploy.progress import StackProgress
    from neuron_cluster.opened_environment import OpenedEnvironment
    from neuron_cluster.protocol.existing import NextStep

EXAMPLES = """  neuron-cluster import train-trn1 --bucket team-checkpoints
  neuron-cluster import train-trn1 --bucket team-checkpoints --yes
  neuron-cluster import train-trn1 --bucket team-checkpoints --key KEY_ID
  neuron-cluster import --local train-trn1 --bucket team-checkpoints --yes"""

TEXT = """Make a bucket that exists the checkpoint bucket of an environment, before its
storage stack exists; with --key a KMS key too, which becomes the data key.
Without --yes it compares them with the template, shows what the next deploy
sets, and changes nothing. With --yes it creates the storage stack by a
CloudFormation change set of type IMPORT that has these alone; objects and
settings stay as they are. The next deploy creates the rest and sets the
differences."""


def add_to(verbs: Verbs) -> None:
    parser = add_verb(
        verbs, "import", run, summary="make an existing bucket the environment's own", text=TEXT, examples=EXAMPLES
    )
    add_environment(parser)
    parser.add_argument("--bucket", metavar="BUCKET", required=True, help="name of the bucket")
    parser.add_argument("--key", metavar="KEY", help="id or ARN of the key that becomes the data key")
    parser.add_argument("--local", action="store_true", help="on the local AWS")
    parser.add_argument("--yes", action="store_true", help="import; without it only show what would be imported")


def run(options: argparse.Namespace) -> int:
    from neuron_cluster.cli.patient_stream import outliving_the_reader

    with outliving_the_reader("import"):
        return _import(options)


def _import(options: argparse.Namespace) -> int:
    from neuron_cluster.cli.destination import opened_destination
    from neuron_cluster.cli.open_environment import open_environment
    from neuron_cluster.cli.terminal import talk_stream
    from neuron_cluster.deploy.bucket_import import require_importing
    from neuron_cluster.deploy.only_command import only_command

    _require_bucket_name(options.bucket)
    opened = open_environment(options)
    opened.require_images()
    require_importing(opened.plan)
    stream = talk_stream(options.format)
    with (
        opened_destination(opened, stream, local=options.local) as destination,
        only_command(opened.project.root, opened.plan, destination, "import"),
    ):
        _require_own_account(opened, destination)
        planned = _planned(opened, destination, options)
        _print_import(planned, destination, stream)
        ended = _work(destination, planned, stream) if options.yes else []
        _print_result(options, opened, planned, ended)
    return 0


def _require_bucket_name(name: str) -> None:
    """Raises ToolkitError for a name that no bucket has: botocore rejects it with a pattern."""
    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.errors import ToolkitError

    if problem := load_catalog().limits["s3_bucket_name"].problem_with(name):
        raise ToolkitError(
            f"--bucket: {name!r} is not the name of a bucket: it {problem}",
            hint="`aws s3 ls` lists the buckets of the account",
        )


def _require_own_account(opened: OpenedEnvironment, destination: Destination) -> None:
    from neuron_cluster.deploy.preflight.checks import account_findings
    from neuron_cluster.errors import InvalidEnvironment

    found = account_findings(opened.plan, destination, opened.locate) if not destination.is_local else []
    if found:
        raise InvalidEnvironment(found)


def _planned(opened: OpenedEnvironment, destination: Destination, options: argparse.Namespace) -> BucketImport:
    from neuron_cluster.deploy.assembly import read_assembly
    from neuron_cluster.deploy.bucket_import import plan_import
    from neuron_cluster.deploy.synthesis import private_assembly
    from neuron_cluster.plan.core_stacks import STORAGE

    name = opened.plan.stack_name(STORAGE.stack_key)
    with private_assembly(opened.project.root, *opened.for_app) as assembly:
        opened.require_unedited()
        storage = next(each for each in read_assembly(assembly) if each.name == name)
    return plan_import(opened.plan, storage, destination, options.bucket, options.key)


def _print_import(planned: BucketImport, destination: Destination, stream: TextIO) -> None:
    from neuron_cluster.cli.terminal import print_paragraph

    print_paragraph(f"Import into the new stack {planned.stack} on {destination.description}:", stream)
    for each in planned.resources:
        print_paragraph(f"  {each.type} {each.logical_id}: {each.physical_id}", stream)
    if planned.differences:
        print_paragraph("The next deploy sets:", stream)
    for difference in planned.differences:
        line = f"  {difference.type} {difference.property}: {difference.in_account} -> {difference.after_deploy}"
        print_paragraph(line, stream)
    for expiry in planned.expiring:
        after = f"{expiry.days} days after their write, also those that exist"
        line = f"S3 then deletes objects below {expiry.prefix} {after}."
        print_paragraph(line, stream)
    print_paragraph(f"The next deploy creates the other resources of the stack: {planned.remaining}.", stream)


def _work(destination: Destination, planned: BucketImport, stream: TextIO) -> list[StackProgress]:
    from neuron_cluster.cli.interruption import until_interrupted
    from neuron_cluster.cli.progress_display import ProgressDisplay
    from neuron_cluster.deploy.import_run import run_import
    from neuron_cluster.deploy.stack_names import stack_states

    try:
        with ProgressDisplay(stream) as display:
            return run_import(destination, planned, display.show)
    except KeyboardInterrupt:
        with until_interrupted():
            ((name, status),) = stack_states(destination.target, [planned.stack])
            print(f"Interrupted. The state of the stack {name}: {status}", file=sys.stderr, flush=True)
        raise


def _print_result(
    options: argparse.Namespace, opened: OpenedEnvironment, planned: BucketImport, ended: Sequence[StackProgress]
) -> None:
    from neuron_cluster.cli.stack_work import result_line
    from neuron_cluster.cli.terminal import print_json
    from neuron_cluster.lock.paths import as_argument
    from neuron_cluster.report.plain_data import plain

    steps = _next_steps(options, as_argument(opened.file.display_name), is_imported=bool(ended))
    if options.format == "json":
        document = {"environment": opened.plan.name, "stack": planned.stack, "imported": bool(ended)}
        parts = {name: plain(getattr(planned, name)) for name in ("resources", "differences", "expiring", "remaining")}
        findings = [finding.as_dict() for finding in opened.findings]
        print_json({**document, **parts, "next_steps": plain(steps), "findings": findings})
        return
    commands = "".join(f"  {step.command}\n" for step in steps)
    if ended:
        print("\n" + "\n".join(map(result_line, ended)))
        print(f"Next:\n{commands}", end="")
    else:
        print(f"Nothing was changed. To import:\n{commands}", end="")


def _next_steps(options: argparse.Namespace, name: str, *, is_imported: bool) -> list[NextStep]:
    from neuron_cluster.protocol.existing import NextStep

    place = f"--local {name}" if options.local else name
    if is_imported:
        return [
            NextStep("show what the next deploy changes", f"neuron-cluster diff {place}"),
            NextStep("create the other resources and set the differences", f"neuron-cluster deploy {place}"),
        ]
    key = f" --key {options.key}" if options.key else ""
    return [NextStep("import", f"neuron-cluster import {place} --bucket {options.bucket}{key} --yes")]
