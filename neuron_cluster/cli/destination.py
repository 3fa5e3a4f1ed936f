"""Opening the place that a verb deploys to or destroys in."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from neuron_cluster.deploy.destination import Destination
    from neuron_cluster.deploy.removal import Removal
    from neuron_cluster.opened_environment import OpenedEnvironment


@contextlib.contextmanager
def opened_destination(opened: OpenedEnvironment | Removal, stream: TextIO, *, local: bool) -> Iterator[Destination]:
    """AWS in the account and Region of the file; or the local AWS, which may be one of the command's own."""
    from neuron_cluster.aws.session import close_clients
    from neuron_cluster.deploy.destination import aws_destination, local_destination

    plan = opened.plan
    if not local:
        yield aws_destination(plan.account, plan.region)
        return
    from neuron_cluster.deploy.local_server import isolated_environ, local_server

    with isolated_environ(), local_server(opened.project.root) as server:
        if server.ends_with_command:
            print("No local AWS is running: this command starts one and stops it at the end.", file=stream)
            print("To keep its state, run `neuron-cluster local` in another terminal.", file=stream, flush=True)
        destination = local_destination(
            server.endpoint,
            plan.account,
            plan.region,
            ends_with_command=server.ends_with_command,
            is_fresh_account=server.is_fresh_account,
        )
        try:
            yield destination
        finally:
            close_clients(destination.target)
