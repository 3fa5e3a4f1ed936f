"""``neuron-cluster capacity``: capacity blocks and training plans that can be bought. Read-only."""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from neuron_cluster.cli.arguments import Verbs, a_day, add_environment, add_verb
from neuron_cluster.cli.columns import HelpFormatter
from neuron_cluster.protocol.option import a_count

if TYPE_CHECKING:
    from neuron_cluster.capacity.group_query import QueryTime
    from neuron_cluster.capacity.query import BlockSpan, CapacityBlockQuery
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.plan.cluster_plan import ClusterPlan

USUAL_LENGTH = "7d"

TEXT = """Find EC2 Capacity Blocks for ML: instances for a fixed period, paid up front.
Most large Trainium instances are sold only this way. `search` also finds
training plans of SageMaker. Makes read-only AWS calls and prints the purchase
command; buys nothing."""

EXAMPLES = """  neuron-cluster capacity search --type trn2.48xlarge --count 16 --duration 7d
  neuron-cluster capacity offers train-trn2
`neuron-cluster capacity search --help` and `... offers --help` list the options"""

SEARCH_TEXT = """Show the capacity blocks that AWS offers, the cheapest device-hour first.
Queries every Region that sells the type (ec2:DescribeCapacityBlockOfferings and
ec2:DescribeAvailabilityZones, both read-only). If the query fails in a Region,
the others are still shown. Offers change within minutes: query again before you
buy.

Zones are shown by zone id (use2-az3), because zone letters differ between
accounts. The duration is in whole days up to 14, then in weeks. A block ends at
a fixed hour, so a block that starts today is shorter than --duration.

For a type that SageMaker reserves in training plans, shows these too: one table
for groups of HyperPod, one for training jobs
(sagemaker:SearchTrainingPlanOfferings, read-only). If SageMaker rejects the
call, this is reported and the blocks are shown."""

SEARCH_EXAMPLES = """  neuron-cluster capacity search --type trn2.48xlarge --count 16 \\
    --duration 7d --region us-east-2,ap-south-2
  neuron-cluster capacity search --type trn1.32xlarge --from 2026-12-01
  neuron-cluster capacity search --ultraserver u-trn2x64 --count 2 --duration 2w
  neuron-cluster capacity search --type trn2.48xlarge --local    no account
  neuron-cluster capacity search --type trn2.48xlarge --format json"""

OFFERS_TEXT = """Show the capacity blocks that an environment can use. For each node group with
capacity kind `capacity_block` or `ultraserver_block`, queries its instance
type, count.max and zone in the environment's Region. Duration and dates are
those of `starts` and `ends` in the file if both are set and in the future;
--duration, --from and --until override them. reservation_id may still be a
placeholder: it is not checked, and the lines to replace it with after a
purchase are printed. The purchase command sets the tags that budgets count.
`neuron-cluster capacity search --help` lists the AWS calls."""

OFFERS_EXAMPLES = """  neuron-cluster capacity offers train-trn2
  neuron-cluster capacity offers train-trn2 --duration 2w --until 2026-12-31
  neuron-cluster capacity offers train-trn2 --local    with no AWS account"""


def add_to(verbs: Verbs) -> None:
    parser = verbs.add_parser(
        "capacity",
        help="find capacity blocks to buy",
        description=TEXT,
        epilog=f"examples:\n{EXAMPLES}",
        formatter_class=HelpFormatter,
    )
    queries = parser.add_subparsers(title="queries", metavar="QUERY", required=True)
    _add_search(queries)
    _add_offers(queries)


def _add_search(queries: Verbs) -> None:
    parser = add_verb(
        queries, "search", run_search, summary="all blocks that AWS offers", text=SEARCH_TEXT, examples=SEARCH_EXAMPLES
    )
    unit = parser.add_mutually_exclusive_group(required=True)
    unit.add_argument("--type", metavar="TYPE", help="instances of this type, such as trn2.48xlarge")
    unit.add_argument("--ultraserver", metavar="TYPE", help="UltraServers of this type, such as u-trn2x64")
    parser.add_argument(
        "--count", metavar="N", type=a_count, default=1, help="instances or UltraServers in the block (default: 1)"
    )
    parser.add_argument(
        "--region", metavar="NAME,...", type=_names, help="Regions to query (default: every Region with the type)"
    )
    _add_time_and_place(parser, usually=USUAL_LENGTH)


def _add_offers(queries: Verbs) -> None:
    parser = add_verb(
        queries, "offers", run_offers, summary="blocks that an environment can use", text=OFFERS_TEXT,
        examples=OFFERS_EXAMPLES,
    )  # fmt: skip
    add_environment(parser)
    _add_time_and_place(parser, usually=f"from the dates of the file, else {USUAL_LENGTH}")


def _add_time_and_place(parser: argparse.ArgumentParser, usually: str) -> None:
    parser.add_argument("--duration", metavar="LENGTH", help=f"such as 7d, 48h or 2w (default: {usually})")
    parser.add_argument("--from", metavar="DATE", type=a_day, dest="first", help="earliest start date (UTC)")
    parser.add_argument("--until", metavar="DATE", type=a_day, dest="last", help="latest end date (UTC)")
    parser.add_argument("--local", action="store_true", help="query the local AWS, which has sample offerings")


def run_search(options: argparse.Namespace) -> int:
    from neuron_cluster.capacity.plan_query import plan_query
    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.cli.capacity_client import aws_capacity, local_capacity
    from neuron_cluster.cli.capacity_output import show_search
    from neuron_cluster.cli.plan_output import show_plans
    from neuron_cluster.cli.terminal import print_json
    from neuron_cluster.opened_environment import default_target
    from neuron_cluster.project import require_project
    from neuron_cluster.report.capacity_page import search_as_data
    from neuron_cluster.report.plan_offers_page import plans_as_data

    query, regions = _query(options)
    if options.local:
        project = require_project(options.project)
        client = local_capacity(project, default_target(project)[0], regions)
    else:
        client = aws_capacity(regions)
    plans = plan_query(query, load_catalog())
    with client as opened:
        found = opened.find_offerings(query, _today())
        found_plans = opened.find_plans(plans, _today()) if plans is not None else None
    if options.format == "json":
        data = search_as_data(query, regions, found, opened.purchase)
        if plans is not None and found_plans is not None:
            data["training_plans"] = plans_as_data(plans, regions, found_plans, opened.purchase)
        print_json(data)
        return 0
    show_search(query, regions, found, opened.purchase)
    if plans is not None and found_plans is not None:
        show_plans(plans, regions, found_plans, opened.purchase)
    return 0


def _query(options: argparse.Namespace) -> tuple[CapacityBlockQuery, tuple[str, ...]]:
    """The query and its Regions. Raises ``ToolkitError`` for what no Region could offer."""
    from neuron_cluster.capacity.block_unit import instance_unit, ultraserver_unit
    from neuron_cluster.capacity.offerings import require_regions
    from neuron_cluster.capacity.query import CapacityBlockQuery, block_hours, require_one_block
    from neuron_cluster.catalog.catalog import load_catalog

    catalog = load_catalog()
    is_type = options.type is not None
    unit = instance_unit(options.type, catalog) if is_type else ultraserver_unit(options.ultraserver, catalog)
    require_one_block(unit, options.count, catalog)
    regions = require_regions(options.region or unit.regions, catalog)
    hours = block_hours(options.duration or USUAL_LENGTH, catalog)
    query = CapacityBlockQuery(unit, options.count, hours, _span(options, hours))
    _warn(query, catalog)
    return query, regions


def run_offers(options: argparse.Namespace) -> int:
    from neuron_cluster.capacity.group_query import group_queries
    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.cli.capacity_client import aws_capacity, local_capacity
    from neuron_cluster.cli.capacity_output import show_group
    from neuron_cluster.cli.open_environment import open_environment
    from neuron_cluster.cli.terminal import print_json
    from neuron_cluster.report.capacity_page import group_as_data

    catalog, opened = load_catalog(), open_environment(options)
    plan = opened.plan
    queries, regions = group_queries(plan, _query_time(options, catalog), catalog), (plan.region,)
    for query in {each.block.unit: each.block for each in queries}.values():
        _warn(query, catalog)
    if not queries:
        return _nothing_to_query(options, plan)
    client = local_capacity(opened.project, plan.account, regions) if options.local else aws_capacity(regions)
    with client as opened_client:
        results = [
            (each, opened_client.find_offerings(each.block, _today(), f", for the {each.noun} {each.group}"))
            for each in queries
        ]
    if options.format == "json":
        groups = [group_as_data(each, regions, found, opened_client.purchase) for each, found in results]
        print_json({"environment": plan.name, "region": plan.region, "groups": groups})
        return 0
    for each, found in results:
        show_group(each, regions, found, opened_client.purchase)
    return 0


def _nothing_to_query(options: argparse.Namespace, plan: ClusterPlan) -> int:
    from neuron_cluster.cli.terminal import print_json

    if options.format == "json":
        print_json({"environment": plan.name, "region": plan.region, "groups": []})
    else:
        print(f"{plan.name}: no compute group uses a capacity block: nothing to query.")
    return 0


def _query_time(options: argparse.Namespace, catalog: Catalog) -> QueryTime:
    from neuron_cluster.capacity.group_query import QueryTime
    from neuron_cluster.capacity.query import BlockSpan, block_hours

    hours = block_hours(options.duration, catalog) if options.duration is not None else None
    span = BlockSpan(options.first, options.last)
    return QueryTime(_today(), block_hours(USUAL_LENGTH, catalog), hours, span)


def _span(options: argparse.Namespace, hours: int) -> BlockSpan:
    from neuron_cluster.capacity.query import BlockSpan

    span = BlockSpan(options.first, options.last)
    span.require_length(hours, _today())
    return span


def _warn(query: CapacityBlockQuery, catalog: Catalog) -> None:
    from neuron_cluster.cli.terminal import print_paragraph

    if query.unit.doubt is not None:
        print_paragraph(f"Purchase options of {query.unit.instance_type} are in doubt: {query.unit.doubt}.", sys.stderr)
    if query.span.is_beyond_offers(catalog, _today()):
        maximum = catalog.limits["capacity_block_start_ahead"].maximum
        print_paragraph(f"AWS documents offers up to {maximum} days ahead; queried anyway.", sys.stderr)


def _today() -> date:
    """Nothing below the command line looks at the clock."""
    return datetime.now(UTC).date()


def _names(text: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",")))
    if not all(names):
        raise argparse.ArgumentTypeError(f"{text!r} has an empty name: expected names such as us-east-2,ap-south-2")
    return names
