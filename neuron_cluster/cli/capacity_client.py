"""The targets that offerings of capacity blocks and of training plans are queried from."""

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
    from neuron_cluster.capacity.offerings import Offerings
    from neuron_cluster.capacity.plan_offers import PlanOfferings
    from neuron_cluster.capacity.plan_query import PlanQuery
    from neuron_cluster.capacity.purchase_command import PurchaseCommand
    from neuron_cluster.capacity.query import CapacityBlockQuery
    from neuron_cluster.project import Project


class CapacityClient(Struct, frozen=True):
    """A target for each Region, and the command that buys their offerings."""

    targets: tuple[Target, ...]
    purchase: PurchaseCommand

    def find_offerings(self, query: CapacityBlockQuery, today: date, purpose: str = "") -> Offerings:
        """Reports progress on standard error. Raises ``ToolkitError`` when the query fails in every Region."""
        from neuron_cluster.capacity.offerings import find_offerings
        from neuron_cluster.cli.terminal import print_paragraph

        regions = ", ".join(target.region for target in self.targets)
        print_paragraph(f"Querying {regions} for {query.summary}{purpose}.", sys.stderr)
        return find_offerings(query, self.targets, today, functools.partial(print, file=sys.stderr, flush=True))

    def find_plans(self, query: PlanQuery, today: date) -> PlanOfferings:
        """Reports progress on standard error. A query that fails is in the result; an impossible one is not sent."""
        from neuron_cluster.capacity.plan_offers import PlanOfferings, find_plans
        from neuron_cluster.cli.terminal import print_paragraph

        if query.impossible is not None:
            return PlanOfferings((), ())
        regions = ", ".join(target.region for target in self.targets)
        print_paragraph(f"Querying {regions} for training plans: {query.summary}.", sys.stderr)
        if query.is_beyond_offers(today):
            ahead = f"AWS documents training plans that start up to {query.row.most_days_ahead} days ahead"
            print_paragraph(f"{ahead}; queried anyway.", sys.stderr)
        return find_plans(query, self.targets, today, functools.partial(print, file=sys.stderr, flush=True))


@contextlib.contextmanager
def aws_capacity(regions: Sequence[str]) -> Iterator[CapacityClient]:
    """AWS, with the user's credentials. Raises ``InvalidEnvironment`` when variables lead to a local AWS."""
    from neuron_cluster.aws.session import AwsTarget
    from neuron_cluster.capacity.purchase_command import PurchaseCommand
    from neuron_cluster.cli.terminal import print_paragraph
    from neuron_cluster.deploy.aws_endpoints import aws_endpoints

    for endpoint in aws_endpoints():
        print_paragraph(f"AWS is called through {endpoint}.", sys.stderr)
    yield CapacityClient(tuple(AwsTarget(region) for region in regions), PurchaseCommand())


@contextlib.contextmanager
def local_capacity(project: Project, account: str, regions: Sequence[str]) -> Iterator[CapacityClient]:
    """The local AWS that runs for the project, else one that ends with the block."""
    from neuron_cluster.aws.session import LocalTarget, close_clients
    from neuron_cluster.capacity.purchase_command import PurchaseCommand
    from neuron_cluster.deploy.local_server import isolated_environ, local_server

    with isolated_environ(), local_server(project.root) as server:
        targets = tuple(LocalTarget(region, account, server.endpoint) for region in regions)
        try:
            yield CapacityClient(targets, PurchaseCommand(server.endpoint, is_open=not server.ends_with_command))
        finally:
            for target in targets:
                close_clients(target)
