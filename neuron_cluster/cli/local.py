"""``neuron-cluster local``: keep a local AWS running."""

from __future__ import annotations

import argparse
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from neuron_cluster.cli.arguments import Verbs, a_region, add_verb, an_account

if TYPE_CHECKING:
    from local_aws.server import LocalAws
    from neuron_cluster.deploy.local_places import Place
    from neuron_cluster.project import Project

EXAMPLES = """  neuron-cluster local                      runs until Ctrl-C
  neuron-cluster local --port 0             on any free port
  neuron-cluster local --account 444455556666 --region us-east-1
  neuron-cluster local --fresh-account      with new, empty accounts
  neuron-cluster local --snapshot aws.zip   with the state of the last run

then, in another terminal of the same project:
  neuron-cluster deploy --local train-trn1"""

TEXT = """Run a local AWS on this machine until Ctrl-C, and print the environment
variables that make the `cdk` command, the AWS CLI and boto3 use it. It serves
every account and Region, keeps all state in memory, and never connects to AWS.
`deploy --local` and `destroy --local` in this project use it automatically.

With --fresh-account, every account is like a new AWS account: default quotas,
no IAM roles, no CDK bootstrap. `deploy --local` then runs the preflight checks.

With --snapshot FILE, all state is restored from FILE at the start, if FILE
exists, and is written to FILE at the end: after Ctrl-C, SIGTERM or a closed
terminal, when running stack operations have ended (a second Ctrl-C stops
without writing). FILE is unchanged until then: `kill -9` loses all changes
since the start. FILE contains access keys, so only its user can read it. It can
be restored only with the same version of moto. Trust FILE of another author as
you would trust a program: restoring it runs no code, but Lambda functions in it
run when their stacks are updated or deleted."""

DEFAULT_PORT = 5055
HIGHEST_PORT = 65_535


EXAMPLE_PLACE = ("111122223333", "us-west-2")
"""The account of the documentation of AWS, as in the shipped environments."""


def add_to(verbs: Verbs) -> None:
    parser = add_verb(
        verbs, "local", run, summary="run a local AWS that needs no account", text=TEXT, examples=EXAMPLES
    )
    parser.add_argument(
        "--port", type=_port, default=DEFAULT_PORT, metavar="N", help=f"port (default {DEFAULT_PORT}; 0: any free one)"
    )
    parser.add_argument(
        "--account",
        type=an_account,
        metavar="ID",
        help="account of the printed variables (default: as in environments/)",
    )
    parser.add_argument(
        "--region", type=a_region, metavar="NAME", help="Region of the printed variables (default: as in environments/)"
    )
    parser.add_argument(
        "--fresh-account",
        action="store_true",
        help="start with new accounts: default quotas, no IAM roles, no bootstrap",
    )
    parser.add_argument(
        "--snapshot",
        type=Path,
        metavar="FILE",
        help="restore all state from FILE at the start, if it exists, and write it to FILE at the end",
    )


def _port(text: str) -> int:
    if not text.isdigit() or int(text) > HIGHEST_PORT:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port: 0 to {HIGHEST_PORT}")
    return int(text)


def run(options: argparse.Namespace) -> int:

    from neuron_cluster.cli.interruption import interruptible
    from neuron_cluster.deploy.local_server import foreground_local_server, isolated_environ, require_only_server
    from neuron_cluster.project import require_project

    project = require_project(options.project)
    require_only_server(project.root)
    with (
        interruptible(),
        isolated_environ(),
        foreground_local_server(options.port, is_fresh_account=options.fresh_account) as aws,
    ):
        _serve(options, project, aws)
    return 0


def _serve(options: argparse.Namespace, project: Project, aws: LocalAws) -> None:
    """Until a signal ends it."""
    from neuron_cluster.deploy.local_places import local_places
    from neuron_cluster.deploy.local_server import announced
    from neuron_cluster.deploy.local_snapshot import restore_if_there
    from neuron_cluster.startup import restore_garbage_collection

    is_restored = options.snapshot is not None and restore_if_there(
        aws, options.snapshot, is_fresh_account=options.fresh_account
    )
    place = _place(options, project)
    fresh = aws.store.is_fresh_account
    with announced(project.root, aws.endpoint, is_fresh_account=fresh):
        places = local_places(project, aws.endpoint, is_fresh_account=fresh)
        _show(options, aws, place, places, is_restored=is_restored)
        sys.stdout.flush()
        restore_garbage_collection()
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            _end(options.snapshot, aws)


def _place(options: argparse.Namespace, project: Project) -> Place:
    """Account and Region of the printed variables: a file with an error does not keep the server from its start."""
    from neuron_cluster.cli.terminal import print_line
    from neuron_cluster.errors import ToolkitError
    from neuron_cluster.opened_environment import default_target

    account, region = EXAMPLE_PLACE
    if options.account is None or options.region is None:
        try:
            account, region = default_target(project)
        except ToolkitError as error:
            print_line(f"{error.message}: the variables are of account {account}, Region {region}", sys.stderr)
    return options.account or account, options.region or region


def _end(snapshot: Path | None, aws: LocalAws) -> None:
    from neuron_cluster.cli.interruption import until_interrupted
    from neuron_cluster.cli.terminal import print_line
    from neuron_cluster.deploy.local_snapshot import write_at_end

    if snapshot is not None:
        is_written = False
        with until_interrupted():
            write_at_end(aws, snapshot)
            is_written = True
        sentence = f"Its state is in {snapshot}." if is_written else f"{snapshot} was not written."
        print_line(sentence, sys.stderr)
    print("The local AWS has stopped.", file=sys.stderr)


def _show(
    options: argparse.Namespace,
    aws: LocalAws,
    place: Place,
    places: Mapping[Place, Sequence[str]],
    *,
    is_restored: bool,
) -> None:
    """Where it listens, and the variables of one account and Region."""
    import os

    from local_aws.environment import in_the_way
    from neuron_cluster.cli.terminal import print_json, print_line

    variables, unset = aws.environment(*place), in_the_way(os.environ)
    if options.format == "json":
        account, region = place
        print_json(
            {
                "endpoint": aws.endpoint,
                "account": account,
                "region": region,
                "is_fresh_account": aws.store.is_fresh_account,
                "is_restored": is_restored,
                "variables": variables,
                "unset": unset,
                "findings": [],
            }
        )
        return
    end = "discards its state" if options.snapshot is None else f"writes its state to {options.snapshot}"
    print_line(f"The local AWS listens at {aws.endpoint}. Ctrl-C stops it and {end}.")
    if is_restored:
        print_line(f"Its state was restored from {options.snapshot}.")
    if aws.store.is_fresh_account:
        print("Its accounts are like new AWS accounts: default quotas, no IAM roles, no CDK bootstrap.")
    print("For cdk, the AWS CLI and boto3, in another terminal:\n")
    print("\n".join(_account_comments(*place, places)) + "\n")
    _print_variables(variables, unset)


def _print_variables(variables: Mapping[str, str], unset: Iterable[str]) -> None:
    """As commands of a shell."""
    import shlex

    print("\n".join(f"unset {name}" for name in unset))
    print("\n".join(f"export {name}={shlex.quote(value)}" for name, value in variables.items()))


def _account_comments(account: str, region: str, places: Mapping[Place, Sequence[str]]) -> Iterator[str]:
    """Which account and Region the variables are of, as shell comments."""
    yield f"# account {account}, Region {region}. AWS_ACCESS_KEY_ID is the account, AWS_SECRET_ACCESS_KEY the"
    yield "# secret of this run: a request without it is rejected."
    for (other, elsewhere), names in places.items():
        if (other, elsewhere) != (account, region):
            yield f"# {', '.join(names)}: --account {other} --region {elsewhere}"
