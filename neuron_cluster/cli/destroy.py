"""``neuron-cluster destroy``: remove an environment, never its data by accident."""

from __future__ import annotations

import argparse
import functools
from typing import TYPE_CHECKING, TextIO

from neuron_cluster.cli.arguments import Verbs, add_environment, add_verb

if TYPE_CHECKING:
    from collections.abc import Sequence

    from neuron_cluster.deploy.destination import Destination
    from neuron_cluster.deploy.destruction import Destruction
    from neuron_cluster.deploy.left_over_item import LeftOver
    from neuron_cluster.deploy.removal import Removal

EXAMPLES = """  neuron-cluster destroy train-trn1          keeps data and network
  neuron-cluster destroy --local train-trn1  on the local AWS

deletes the data too:
  neuron-cluster destroy train-trn1 --delete-data train-trn1

deletes one home alone, which is no longer in the file (docs/workstations.md):
  neuron-cluster destroy train-trn1 --delete-data train-trn1 --home alice

without an environment file:
  neuron-cluster destroy --deployed old-name --region us-west-2"""

TEXT = """Delete the software, node groups and cluster of an environment. Stacks that hold
data, and the network, are kept; the next deploy uses them again. --delete-data
deletes them too, permanently; its value is the name of the environment. With
--home it deletes the home of a person who left, and nothing else. An
environment without data is deleted completely. NAME is an environment file;
with --deployed it is the name of a deployed environment, as
`neuron-cluster list` shows it."""

KEPT = "This command deletes nothing else: recovery points and snapshots of the home stay."

MADE_BY_PODS = (
    "Controllers in the cluster created these, and deleting the cluster does not delete them. Delete their Ingress, "
    "Service and PersistentVolumeClaim objects first, while the controllers run; or run these commands afterwards:"
)

MADE_IN_NETWORK = (
    "Others made these in the VPC, and they are in no stack: CloudFormation cannot delete the network before they are "
    "gone. Decide with their owners, then run these commands in this order, before or after this one. {}:"
)

RETAINED_LOGS = (
    "These are kept, because services write to them after the cluster is deleted. They are billed per GB-month, and "
    "the next deploy adopts them. They are encrypted with the cluster's KMS key, which AWS deletes 30 days after the "
    "cluster: to read them later, cancel its deletion (`aws kms cancel-key-deletion`, `aws kms enable-key`). To delete "
    "them: --delete-data, or these commands:"
)
BUILT_IMAGES = (
    "These AMIs are kept: `neuron-cluster image build` has built them, and the lock may name one. Their snapshots are "
    "billed. Images of Image Builder are records of its builds. To delete them:"
)
DELETED_LOGS = (
    "Deleting permanently: {}. A service may create it again for some minutes; then run the same command again."
)


def add_to(verbs: Verbs) -> None:
    parser = add_verb(
        verbs, "destroy", run, summary="delete an environment, keep its data", text=TEXT, examples=EXAMPLES
    )
    add_environment(parser)
    parser.add_argument("--local", action="store_true", help="on the local AWS")
    parser.add_argument("--yes", action="store_true", help="do not prompt (with --local there is no prompt)")
    parser.add_argument("--deployed", action="store_true", help="NAME is a deployed environment, not a file")
    parser.add_argument("--region", help="with --deployed: its Region (default: the Region of the first file)")
    parser.add_argument(
        "--account", help="with --deployed and --local: its account (default: the account of the first file)"
    )
    parser.add_argument("--delete-data", metavar="NAME", help="delete the data too; NAME is the environment's name")
    parser.add_argument("--home", metavar="HOME", help="with --delete-data: delete this home alone, nothing else")


def run(options: argparse.Namespace) -> int:
    from neuron_cluster.cli.patient_stream import outliving_the_reader

    with outliving_the_reader("destroy"):
        return _destroy(options)


def _destroy(options: argparse.Namespace) -> int:
    from neuron_cluster.cli.confirmation import confirm
    from neuron_cluster.cli.destination import opened_destination
    from neuron_cluster.cli.terminal import talk_stream
    from neuron_cluster.deploy.built_images import require_no_build
    from neuron_cluster.deploy.busy_stacks import wait_for_deletions
    from neuron_cluster.deploy.destruction import plan_destruction, require_same_name
    from neuron_cluster.deploy.home_deletion import require_data_named
    from neuron_cluster.deploy.only_command import only_command
    from neuron_cluster.deploy.removal import require_clear_name, require_deployed, require_own_account
    from neuron_cluster.deploy.unfinished_jobs import require_no_jobs

    require_data_named(options.home, options.delete_data)
    removal = _removal(options)
    stream = talk_stream(options.format)
    with (
        opened_destination(removal, stream, local=options.local) as destination,
        only_command(removal.project.root, removal.plan, destination, "destroy"),
    ):
        require_own_account(removal, destination)
        require_clear_name(removal, destination)
        require_same_name(removal.plan, options.delete_data)
        wait_for_deletions(removal.plan, destination, functools.partial(print, file=stream, flush=True))
        if options.home is not None:
            return _delete_home(options, removal, destination, stream)
        destruction = plan_destruction(removal.plan, destination, with_data=options.delete_data is not None)
        require_deployed(removal, destination, destruction)
        require_no_build(destruction, destination)
        require_no_jobs(destruction, destination)
        _print_destruction(removal, destruction, destination, stream)
        left_over = [
            *_print_left_over(destruction, destination, stream),
            *_print_made_in_network(destruction, destination, stream),
            *_print_retained_logs(destruction, destination, stream),
            *_print_built_images(destruction, destination, stream),
        ]
        if destruction.deletes and not destination.is_local and not options.yes:
            confirm(f"Delete this from {destination.description}?", removal.plan.name)
            require_no_jobs(destruction, destination)
        _work(options.format, removal, destination, destruction, stream, left_over)
    return 0


def _delete_home(options: argparse.Namespace, removal: Removal, destination: Destination, stream: TextIO) -> int:
    from neuron_cluster.cli.confirmation import confirm
    from neuron_cluster.cli.terminal import print_json, print_paragraph
    from neuron_cluster.deploy.home_deletion import delete_home, plan_home_deletion

    deletion = plan_home_deletion(removal, destination, options.home)
    if deletion.volume is not None:
        print_paragraph(f"Deleting for good from {destination.description}: {deletion.description}. {KEPT}", stream)
        if not destination.is_local and not options.yes:
            confirm(f"Delete this from {destination.description}?", removal.plan.name)
        delete_home(destination, deletion)
    else:
        print_paragraph(f"There is nothing to delete: {deletion.description}.", stream)
    print_paragraph(f"The next deploy of {removal.plan.name} takes it out of {deletion.stack}.", stream)
    if options.format == "json":
        volume = deletion.volume.id if deletion.volume is not None else None
        findings = [finding.as_dict() for finding in removal.findings]
        print_json({"home": deletion.name, "deleted_volume": volume, "stack": deletion.stack, "findings": findings})
    return 0


def _removal(options: argparse.Namespace) -> Removal:
    from neuron_cluster.deploy.removal import removal_of_deployed, removal_of_file
    from neuron_cluster.errors import ToolkitError

    name, account, region = str(options.environment), options.account, options.region
    if options.deployed:
        return removal_of_deployed(name, options.project, is_local=options.local, account=account, region=region)
    if account or region:
        raise ToolkitError(
            "--account and --region belong to --deployed",
            hint="leave them out, or name what is deployed: --deployed NAME",
        )
    return removal_of_file(name, options.project, is_local=options.local)


def _print_destruction(removal: Removal, destruction: Destruction, destination: Destination, stream: TextIO) -> None:
    from neuron_cluster.cli.terminal import print_paragraph
    from neuron_cluster.deploy.destruction import destruction_lines

    for line in destruction_lines(destruction, destination, removal.command):
        print_paragraph(line, stream)


def _print_left_over(destruction: Destruction, destination: Destination, stream: TextIO) -> list[LeftOver]:
    from neuron_cluster.cli.terminal import print_paragraph
    from neuron_cluster.deploy.left_over import left_over_lines, made_by_pods

    found = made_by_pods(destruction.plan, destination)
    if found:
        print_paragraph(MADE_BY_PODS, stream)
        print("\n".join(left_over_lines(found)), file=stream, flush=True)
    return found


def _print_made_in_network(destruction: Destruction, destination: Destination, stream: TextIO) -> list[LeftOver]:
    """Only where the network is deleted: what is kept does not have to be empty."""
    from neuron_cluster.cli.terminal import print_paragraph
    from neuron_cluster.deploy.left_over import WAITS, left_over_lines, made_in_network
    from neuron_cluster.plan.core_stacks import NETWORK

    network = destruction.plan.stack_name(NETWORK.stack_key)
    if network not in {stack.name for stack in destruction.deletes}:
        return []
    found = made_in_network(destruction.plan, destination)
    if found:
        print_paragraph(MADE_IN_NETWORK.format(WAITS), stream)
        print("\n".join(left_over_lines(found)), file=stream, flush=True)
    return found


def _print_retained_logs(destruction: Destruction, destination: Destination, stream: TextIO) -> list[LeftOver]:
    """Log groups that stay; none where they are deleted too, which is printed as well."""
    from neuron_cluster.cli.terminal import print_paragraph
    from neuron_cluster.deploy.left_over import left_over_lines
    from neuron_cluster.deploy.retained_logs import as_left_over, retained_logs

    groups = retained_logs(destruction.plan, destination)
    if not groups:
        return []
    if destruction.with_logs:
        print_paragraph(DELETED_LOGS.format(", ".join(f"log group {group.name}" for group in groups)), stream)
        return []
    found = as_left_over(groups, destination)
    print_paragraph(RETAINED_LOGS, stream)
    print("\n".join(left_over_lines(found)), file=stream, flush=True)
    return found


def _print_built_images(destruction: Destruction, destination: Destination, stream: TextIO) -> list[LeftOver]:
    """AMIs of the pipeline that is deleted, and records of its builds; they stay with ``--delete-data``, which is about
    files."""
    from neuron_cluster.cli.terminal import print_paragraph
    from neuron_cluster.deploy.built_images import built_images
    from neuron_cluster.deploy.left_over import left_over_lines

    found = built_images(destruction, destination)
    if found:
        print_paragraph(BUILT_IMAGES, stream)
        print("\n".join(left_over_lines(found)), file=stream, flush=True)
    return found


def _work(
    output_format: str,
    removal: Removal,
    destination: Destination,
    destruction: Destruction,
    stream: TextIO,
    left_over: Sequence[LeftOver],
) -> None:
    from neuron_cluster.cli.stack_work import result_line, with_progress
    from neuron_cluster.cli.terminal import print_json
    from neuron_cluster.deploy.destruction import destroy
    from neuron_cluster.deploy.environment_identity import forget_deployment
    from neuron_cluster.report.plain_data import plain

    ended = with_progress(
        lambda show: destroy(removal.project.root, destination, destruction, show),
        destination,
        [stack.name for stack in destruction.deletes],
        stream,
    )
    if not destruction.keeps:
        forget_deployment(removal.project, removal.plan.name, destination)
    if output_format == "json":
        findings = [finding.as_dict() for finding in removal.findings]
        retained = [stack.name for stack in destruction.keeps]
        deleted = [stack.name for stack in ended]
        print_json({"deleted": deleted, "kept": retained, "left_over": plain(left_over), "findings": findings})
    elif ended:
        print("\n" + "\n".join(map(result_line, ended)))
