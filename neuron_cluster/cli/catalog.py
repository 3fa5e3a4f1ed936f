"""``neuron-cluster catalog``: what the toolkit knows about hardware and services."""

from __future__ import annotations

import argparse
import functools

from neuron_cluster.cli.arguments import Verbs, add_verb

EXAMPLES = """  neuron-cluster catalog instances                        every known instance type
  neuron-cluster catalog instances --min-chips 16 --efa   those for training on many nodes
  neuron-cluster catalog instances trn1.32xlarge          everything about one
  neuron-cluster catalog regions us-west-2
  neuron-cluster catalog charts --format json"""

TEXT = """Show what the toolkit knows: instance types, AMI types, Kubernetes versions,
add-ons, charts, Regions, Neuron SDK releases. Every row has its source and the
date on which it was checked. Offline."""

KINDS = ("instances", "amis", "dlamis", "eks", "addons", "charts", "regions", "sdk")


def add_to(verbs: Verbs) -> None:
    parser = add_verb(verbs, "catalog", run, summary="show known hardware and services", text=TEXT, examples=EXAMPLES)
    parser.set_defaults(run=functools.partial(_checked, parser))
    parser.add_argument("kind", metavar="KIND", choices=KINDS, help=f"one of: {', '.join(KINDS)}")
    parser.add_argument("name", metavar="NAME", nargs="?", help="show everything about this one")
    parser.add_argument("--family", metavar="FAMILY", help="instances of this family, such as trn1")
    parser.add_argument("--min-chips", metavar="N", type=int, default=0, help="instances with at least N Neuron chips")
    parser.add_argument("--efa", action="store_true", help="instances with EFA")


def _checked(parser: argparse.ArgumentParser, options: argparse.Namespace) -> int:
    if options.kind != "instances" and (options.family or options.min_chips or options.efa):
        parser.error("--family, --min-chips and --efa choose among instances")
    return run(options)


def run(options: argparse.Namespace) -> int:
    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.catalog.instance_type import InstanceType
    from neuron_cluster.cli.terminal import print_json, print_tables
    from neuron_cluster.errors import InvalidEnvironment
    from neuron_cluster.report.catalog_page import PAGES, is_wanted, row_table, rows_as_data, rows_table, unknown_row

    page, catalog = PAGES[options.kind], load_catalog()
    rows = [
        row
        for row in page.rows(catalog)
        if not isinstance(row, InstanceType) or is_wanted(row, options.family, options.min_chips, efa=options.efa)
    ]
    if options.name is not None:
        rows = [row for row in page.rows(catalog) if row.name == options.name]
        if not rows:
            raise InvalidEnvironment([unknown_row(page, options.name, page.near(catalog, options.name))])
    if options.format == "json":
        print_json(rows_as_data(rows))
    else:
        print_tables([rows_table(page, rows) if options.name is None else row_table(page, rows[0])])
    return 0
