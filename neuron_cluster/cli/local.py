"""``neuron-cluster local``: keep a local AWS running."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from neuron_cluster.cli.arguments import Verbs, add_verb

if TYPE_CHECKING:
    from local_aws.server import LocalAws
    from neuron_cluster.deploy.local_places import Place

EXAMPLES = """  neuron-cluster local                   runs until Ctrl-C
  neuron-cluster local --port 0          on any free port
  neuron-cluster local --account 444455556666 --region us-east-1
  neuron-cluster local --fresh-account   with the state of new accounts

then, in another terminal of the same project:
  neuron-cluster deploy --local train-trn1"""

TEXT = """Run a local AWS on this machine until Ctrl-C, and print the environment
variables that make the `cdk` command, the AWS CLI and boto3 use it. It serves
every account and Region, keeps all state in memory, and never connects to AWS.
`deploy --local` and `destroy --local` in this project use it automatically.
With --fresh-account its accounts are like new AWS accounts: default quotas, no
IAM roles, no CDK bootstrap. `deploy --local` then runs the preflight checks."""

DEFAULT_PORT = 5055
HIGHEST_PORT = 65_535


def add_to(verbs: Verbs) -> None:
    parser = add_verb(
        verbs, "local", run, summary="run a local AWS that needs no account", text=TEXT, examples=EXAMPLES
    )
    parser.add_argument(
        "--port", type=_port, default=DEFAULT_PORT, metavar="N", help=f"port (default {DEFAULT_PORT}; 0: any free one)"
    )
    parser.add_argument(
        "--account", type=_account, metavar="ID", help="account of the printed variables (default: as in environments/)"
    )
    parser.add_argument(
        "--region", type=_region, metavar="NAME", help="Region of the printed variables (default: as in environments/)"
    )
    parser.add_argument(
        "--fresh-account",
        action="store_true",
        help="start with new accounts: default quotas, no IAM roles, no bootstrap",
    )


def _port(text: str) -> int:
    if not text.isdigit() or int(text) > HIGHEST_PORT:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port: 0 to {HIGHEST_PORT}")
    return int(text)


def _account(text: str) -> str:
    if not (len(text) == len("111122223333") and text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"{text!r} is not an account id: twelve digits")
    return text


def _region(text: str) -> str:
    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.findings.suggestions import did_you_mean

    catalog = load_catalog()
    if catalog.region(text) is None:
        suggestion = did_you_mean(catalog.near_regions(text)).rstrip()
        raise argparse.ArgumentTypeError(f"{text!r} is not a known Region{suggestion and f'; {suggestion}'}")
    return text


def run(options: argparse.Namespace) -> int:
    import threading

    from neuron_cluster.cli.interruption import interruptible
    from neuron_cluster.deploy.local_places import local_places
    from neuron_cluster.deploy.local_server import announced, isolated_environ, kept_local_server, require_only_server
    from neuron_cluster.project import require_project
    from neuron_cluster.startup import collect_as_usual

    project = require_project(options.project)
    account, region = project.default_target()
    require_only_server(project.root)
    fresh = options.fresh_account
    with (
        interruptible(),
        isolated_environ(),
        kept_local_server(options.port, is_fresh_account=fresh) as aws,
        announced(project.root, aws.endpoint, is_fresh_account=fresh),
    ):
        places = local_places(project, aws.endpoint, is_fresh_account=fresh)
        _show(options, aws, (options.account or account, options.region or region), places)
        sys.stdout.flush()
        collect_as_usual()
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            print("The local AWS has stopped.", file=sys.stderr)
    return 0


def _show(options: argparse.Namespace, aws: LocalAws, place: Place, places: Mapping[Place, Sequence[str]]) -> None:
    """Where it listens, and the variables of one account and Region."""
    import os

    from local_aws.environment import in_the_way
    from neuron_cluster.cli.terminal import print_json

    variables, unset = aws.environment(*place), in_the_way(os.environ)
    if options.format == "json":
        print_json({"endpoint": aws.endpoint, "environment": variables, "unset": unset})
        return
    print(f"The local AWS listens at {aws.endpoint}. Ctrl-C stops it and discards its state.")
    if options.fresh_account:
        print("Its accounts are like new AWS accounts: default quotas, no IAM roles, no CDK bootstrap.")
    print("For cdk, the AWS CLI and boto3, in another terminal:\n")
    print("\n".join(_said_of_place(*place, places)) + "\n")
    _print_variables(variables, unset)


def _print_variables(variables: Mapping[str, str], unset: Iterable[str]) -> None:
    """As commands of a shell."""
    import shlex

    print("\n".join(f"unset {name}" for name in unset))
    print("\n".join(f"export {name}={shlex.quote(value)}" for name, value in variables.items()))


def _said_of_place(account: str, region: str, places: Mapping[Place, Sequence[str]]) -> Iterator[str]:
    """Which account and Region the variables are of, as shell comments."""
    yield f"# account {account}, Region {region}. AWS_ACCESS_KEY_ID is the account, AWS_SECRET_ACCESS_KEY the"
    yield "# secret of this run: a request without it is rejected."
    for (other, elsewhere), names in places.items():
        if (other, elsewhere) != (account, region):
            yield f"# {', '.join(names)}: --account {other} --region {elsewhere}"
