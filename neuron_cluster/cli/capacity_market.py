"""Where offerings of capacity blocks are asked for."""

from __future__ import annotations

import contextlib
import functools
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from datetime import date

    from neuron_cluster.aws.session import Target
    from neuron_cluster.capacity.block_wish import CapacityBlockQuery
    from neuron_cluster.capacity.purchase_command import PurchaseCommand
    from neuron_cluster.capacity.query import Answers
    from neuron_cluster.project import Project


class Market(Struct, frozen=True):
    """A target for each Region, and where their offerings are bought."""

    targets: tuple[Target, ...]
    till: PurchaseCommand

    def ask(self, wish: CapacityBlockQuery, today: date, purpose: str = "") -> Answers:
        """Says on standard error what it is doing. Raises ``ToolkitError`` when no Region answers."""
        from neuron_cluster.capacity.query import ask
        from neuron_cluster.cli.terminal import print_paragraph

        regions = ", ".join(target.region for target in self.targets)
        print_paragraph(f"Asking {regions} for {wish.in_words}{purpose}.", sys.stderr)
        return ask(wish, self.targets, today, functools.partial(print, file=sys.stderr, flush=True))


@contextlib.contextmanager
def aws_market(regions: Sequence[str]) -> Iterator[Market]:
    """AWS, with the user's credentials. Raises ``InvalidEnvironment`` when variables lead to a local AWS."""
    from neuron_cluster.aws.session import AwsTarget
    from neuron_cluster.capacity.purchase_command import PurchaseCommand
    from neuron_cluster.cli.terminal import print_paragraph
    from neuron_cluster.deploy.aws_endpoints import aws_endpoints

    for endpoint in aws_endpoints():
        print_paragraph(f"AWS is called through {endpoint}.", sys.stderr)
    yield Market(tuple(AwsTarget(region) for region in regions), PurchaseCommand())


@contextlib.contextmanager
def local_market(project: Project, account: str, regions: Sequence[str]) -> Iterator[Market]:
    """The local AWS that runs for the project, else one that ends with the block."""
    from neuron_cluster.aws.session import LocalTarget, close_clients
    from neuron_cluster.capacity.purchase_command import PurchaseCommand
    from neuron_cluster.deploy.local_server import cut_off, local_server

    with cut_off(), local_server(project.root) as server:
        targets = tuple(LocalTarget(region, account, server.endpoint) for region in regions)
        try:
            yield Market(targets, PurchaseCommand(server.endpoint, is_open=not server.ends_with_command))
        finally:
            for target in targets:
                close_clients(target)
