"""``neuron-cluster images``: every chart and image that an environment needs from a registry."""

from __future__ import annotations

import argparse

from neuron_cluster.cli.arguments import Verbs, add_environment, add_local_lock, add_verb

EXAMPLES = """  neuron-cluster images train-trn1
  neuron-cluster images train-trn1 --format json | jq -r '.images[].reference'
  neuron-cluster images train-trn1 --commands > mirror.sh && sh mirror.sh"""

TEXT = """List every Helm chart and container image that the environment's software and
neuron.containers need: version, digest from the lock, the component that needs
it, and its registry (public, the one of EKS in the Region, your ECR, or the ECR
pull-through cache of eks.image_cache). Runs offline.

Without NAT, nodes reach only registries within AWS. With eks.image_cache, pull
each image once from a host with internet access to fill the cache. Copy any
other image and name the copy in eks.chart_values or neuron.containers.
--commands prints the commands for both (aws, crane and helm), for ECR in the
environment's account and Region. It also prints those that build a chart that
no registry has from its commit (git and helm), for environments that need one.

AMIs that no service chooses, such as that of `image build`, are listed with
what they were built from.

Works also for a file whose only errors are images that the nodes cannot reach
(E1005, E1016); the exit status is then 1."""


def add_to(verbs: Verbs) -> None:
    parser = add_verb(
        verbs, "images", run, summary="list the charts and images to mirror", text=TEXT, examples=EXAMPLES
    )
    add_environment(parser)
    add_local_lock(parser)
    parser.add_argument(
        "--commands", action="store_true", help="print shell commands that copy charts and images to the account's ECR"
    )


def run(options: argparse.Namespace) -> int:
    import sys

    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.cli.open_environment import check_environment_file
    from neuron_cluster.cli.terminal import print_findings, print_json, print_paragraph, print_tables, width
    from neuron_cluster.findings.finding import has_error
    from neuron_cluster.lock.paths import as_argument
    from neuron_cluster.plan.chart_build import chart_builds
    from neuron_cluster.plan.needed_software import needed_charts, needed_images
    from neuron_cluster.report.chart_build_commands import chart_build_commands
    from neuron_cluster.report.images_page import closing_lines, images_as_data, images_tables
    from neuron_cluster.report.mirror_commands import mirror_commands
    from neuron_cluster.report.node_images_page import node_image_tables, node_images_as_data

    catalog = load_catalog()
    checked = check_environment_file(options)
    plan = checked.require_draft()
    charts = needed_charts(plan, catalog)
    images = needed_images(plan, catalog, checked.lock.images if checked.lock is not None else {})
    commands = (*mirror_commands(charts, images, plan), *chart_build_commands(chart_builds(plan, catalog)))
    node_images = [image for each in plan.providers for image in each.node_images(checked.lock)]
    if options.format == "json":
        findings = [finding.as_dict() for finding in checked.findings]
        more = {"commands": commands} if options.commands else {}
        data = {**images_as_data(charts, images, plan, catalog), "node_images": node_images_as_data(node_images)}
        print_json({**data, **more, "findings": findings})
        return int(has_error(checked.findings))
    if options.commands:
        print("\n".join(commands) or "# Nothing to mirror.")
    else:
        print_tables([*images_tables(charts, images, plan, width()), *node_image_tables(node_images, plan)])
        for line in closing_lines(images, plan, catalog, as_argument(checked.loaded.source.file)):
            print_paragraph(line, sys.stdout)
    print_findings(checked.findings)
    return int(has_error(checked.findings))
