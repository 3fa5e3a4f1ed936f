"""``neuron-cluster catalog``: facts about hardware and services."""

from __future__ import annotations

import argparse
import functools
from typing import TYPE_CHECKING

from neuron_cluster.cli.arguments import Verbs, add_verb
from neuron_cluster.protocol.option import a_count

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.sourced_row import SourcedRow
    from neuron_cluster.report.catalog_filter import CatalogFilter

EXAMPLES = """  neuron-cluster catalog instances
  neuron-cluster catalog instances --min-chips 16 --efa
  neuron-cluster catalog instances trn1.32xlarge       all fields of one type
  neuron-cluster catalog frameworks --chip trainium2   frameworks for Trn2
  neuron-cluster catalog frameworks --chip trainium --sdk 2.31.1
  neuron-cluster catalog containers --sdk 2.32.0 --chip trainium2
  neuron-cluster catalog amis --chip inferentia2       EKS, DLAMI and ECS images
  neuron-cluster catalog charts --format json"""

TEXT = """Show the facts that the toolkit uses. Every row has a source and the date on
which it was checked; doubtful values are marked with ?. Runs offline.

kinds:
  instances   EC2 instance types, available or announced
  chips       Neuron chip generations, and their support by SDK and driver
  sdk         Neuron SDK releases and the versions of their components
  conflicts   runtimes and drivers that do not work together
  frameworks  frameworks by chip generation, SDK release and image
  containers  Neuron Deep Learning Containers
  amis        EKS AMI types, Deep Learning AMIs and ECS AMIs together
  dlamis      Deep Learning AMIs      ecs         ECS AMIs
  releases    EKS AMI releases and the Neuron driver in each
  eks         Kubernetes versions and the end of their support
  slurm       Slurm versions of AWS PCS
  sizes       sizes of an AWS PCS cluster
  settings    Slurm settings that AWS PCS accepts
  software    what the AMI of Slurm nodes has beside its Deep Learning AMI
  parallelcluster
              AWS ParallelCluster: Slurm version and limits
  doubts      open questions about Neuron instances on AWS PCS
  hyperpod-types
              instance types of SageMaker HyperPod
  hyperpod-amis
              AMIs of its nodes
  hyperpod-doubts
              open questions about Neuron instances on HyperPod
  layouts     layouts of EFA interfaces on network cards
  repairs     EKS node auto repair: action for each Neuron error
  devices     device plugin and DRA driver
  metrics     metrics of Neuron devices and EFA in dashboards
  alarms      CloudWatch alarms and their thresholds
  floors      minimum bus bandwidth that collectives-check expects
  addons      EKS managed add-ons     charts      Helm charts
  clients     Lustre clients for FSx by operating system
  express     zones of S3 Express One Zone
  types       resource types that CloudFormation has in some Regions only
  durations   time that CloudFormation takes for a resource, by type
  lustre      FSx for Lustre: throughput and metadata IOPS
  prices      reference prices of file systems and buckets
  services    reference prices of gateways, endpoints, volumes, keys and alarms
  purchases   prices seen on Spot and in capacity blocks
  registries  registries that ECR pull through cache supports
  regions     AWS Regions and their zone ids"""

TOGETHER = {"amis": ("amis", "dlamis", "ecs")}
"""Kinds that show several pages."""

KINDS = (
    "instances",
    "chips",
    "sdk",
    "conflicts",
    "frameworks",
    "containers",
    "amis",
    "releases",
    "dlamis",
    "ecs",
    "eks",
    "slurm",
    "sizes",
    "settings",
    "software",
    "parallelcluster",
    "doubts",
    "hyperpod-types",
    "hyperpod-amis",
    "hyperpod-doubts",
    "layouts",
    "repairs",
    "devices",
    "metrics",
    "alarms",
    "floors",
    "addons",
    "charts",
    "clients",
    "express",
    "types",
    "durations",
    "lustre",
    "prices",
    "services",
    "purchases",
    "registries",
    "regions",
)


def add_to(verbs: Verbs) -> None:
    parser = add_verb(
        verbs, "catalog", run, summary="show facts about hardware, software and services", text=TEXT, examples=EXAMPLES
    )
    parser.set_defaults(run=functools.partial(_checked, parser))
    parser.add_argument("kind", metavar="KIND", choices=KINDS, help="a kind from the list above")
    parser.add_argument("name", metavar="NAME", nargs="?", help="show all fields of this row")
    parser.add_argument("--chip", metavar="CHIP", help="only rows for this chip generation, such as trainium2")
    parser.add_argument("--sdk", metavar="RELEASE", help="only rows for this Neuron SDK release, such as 2.32.0")
    parser.add_argument("--family", metavar="FAMILY", help="only rows for this instance family, such as trn1")
    parser.add_argument("--region", metavar="REGION", help="only instance types that this Region offers")
    parser.add_argument(
        "--min-chips", metavar="N", type=a_count, default=0, help="only instance types with N Neuron devices or more"
    )
    parser.add_argument("--efa", action="store_true", help="only instance types with EFA")


def _checked(parser: argparse.ArgumentParser, options: argparse.Namespace) -> int:
    from neuron_cluster.report.catalog_filter import FILTERS, CatalogFilter

    chosen = CatalogFilter(
        chip=options.chip,
        sdk=options.sdk,
        family=options.family,
        region=options.region,
        min_chips=options.min_chips,
        efa=options.efa,
    )
    if options.name is not None and chosen.used:
        filters = " and ".join(f"--{field.replace('_', '-')}" for field in sorted(chosen.used))
        parser.error(f"{options.name} names one row, {filters} filters rows: use one or the other")
    pages = TOGETHER.get(options.kind, (options.kind,))
    for field in sorted(chosen.used):
        if not all(field in FILTERS.get(page, ()) for page in pages):
            kinds = ", ".join(kind for kind, names in FILTERS.items() if field in names)
            parser.error(f"--{field.replace('_', '-')} does not filter {options.kind}; it filters {kinds}")
    options.chosen = chosen
    return run(options)


def run(options: argparse.Namespace) -> int:
    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.errors import InvalidEnvironment

    catalog, chosen = load_catalog(), options.chosen
    unknown = list(chosen.unknown_values(catalog)) if chosen.used else []
    if unknown:
        raise InvalidEnvironment(unknown)
    if options.name is not None:
        _show_one(catalog, options)
    elif options.kind == "frameworks" and (chosen.used or options.format != "json"):
        _show_frameworks(catalog, chosen, as_json=options.format == "json")
    else:
        _show_rows(catalog, options)
    return 0


def _show_one(catalog: Catalog, options: argparse.Namespace) -> None:
    from neuron_cluster.cli.terminal import print_json, print_tables
    from neuron_cluster.errors import InvalidEnvironment
    from neuron_cluster.report.catalog_page import PAGES, unknown_row
    from neuron_cluster.report.catalog_table import row_table, rows_as_data

    pages = [PAGES[page] for page in TOGETHER.get(options.kind, (options.kind,))]
    found = [(page, row) for page in pages for row in page.rows(catalog) if row.name == options.name]
    if not found:
        near = [name for page in pages for name in page.near(catalog, options.name)]
        families = {row.family for row in catalog.instance_types} if options.kind == "instances" else ()
        raise InvalidEnvironment([unknown_row(pages[0], options.name, near, families)])
    if options.format == "json":
        print_json(rows_as_data([row for _, row in found]))
    else:
        print_tables([row_table(page, row) for page, row in found])


def _show_rows(catalog: Catalog, options: argparse.Namespace) -> None:
    from neuron_cluster.cli.terminal import print_json, print_tables
    from neuron_cluster.report.catalog_page import PAGES
    from neuron_cluster.report.catalog_table import rows_as_data, rows_table

    pages = [PAGES[page] for page in TOGETHER.get(options.kind, (options.kind,))]
    rows: list[list[SourcedRow]] = [
        [row for row in page.rows(catalog) if options.chosen.wants(row, catalog)] for page in pages
    ]
    if options.format == "json":
        print_json([data for of_page in rows for data in rows_as_data(of_page)])
    else:
        print_tables([rows_table(page, of_page) for page, of_page in zip(pages, rows, strict=True)])


def _show_frameworks(catalog: Catalog, chosen: CatalogFilter, *, as_json: bool) -> None:
    from neuron_cluster.cli.terminal import print_json, print_tables
    from neuron_cluster.report.framework_page import framework_results, overview_table, results_table

    chips = [chip for chip in catalog.chips if chosen.chip == chip.name or (chosen.chip is None and chosen.sdk)]
    answers = [framework_results(catalog, chip, chosen.sdk) for chip in chips]
    if as_json:
        print_json([answer.as_data() for of_chip in answers for answer in of_chip])
    elif not chips:
        print_tables([overview_table(catalog)])
    else:
        sdk = chosen.sdk or catalog.neuron_sdks.rows[0].name
        print_tables([results_table(of_chip, chip, sdk) for chip, of_chip in zip(chips, answers, strict=True)])
