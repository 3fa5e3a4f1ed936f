"""``neuron-cluster cache status``: what is in the compile cache."""

from __future__ import annotations

import argparse
import sys

from neuron_cluster.cli.arguments import Verbs, add_verb
from neuron_cluster.cli.cache_contents import add_cache_arguments

TEXT = """List the compile cache of a deployed environment: for each folder the version of
neuronx-cc, compiled graphs, size, failed entries, locks, and the environments of
this project that use the version: by the SDK of their file, their containers,
the images in their lock and those that bundled workloads run on their nodes.
Names the folders of the environment's own nodes that have no graph."""

EXAMPLES = """  neuron-cluster cache status train-trn1
  neuron-cluster cache status --local train-trn1
  neuron-cluster cache status train-trn1 --format json \\
    | jq '.folders[] | select(.used_by == [])'"""


def add_to(actions: Verbs) -> None:
    parser = add_verb(actions, "status", run, summary="show what is in the cache", text=TEXT, examples=EXAMPLES)
    add_cache_arguments(parser)


def run(options: argparse.Namespace) -> int:
    from neuron_cluster.cli.cache_contents import read_cache
    from neuron_cluster.cli.terminal import print_json, print_paragraph, print_tables
    from neuron_cluster.report.compile_cache_page import cache_as_data, cache_table, missing_lines

    with read_cache(options) as cache:
        if options.format == "json":
            findings = [finding.as_dict() for finding in cache.removal.findings]
            print_json(
                {
                    "environment": cache.removal.plan.name,
                    "bucket": cache.bucket,
                    "prefix": cache.prefix,
                    "folders": cache_as_data(cache.folders, cache.in_use),
                    "missing": list(cache.missing),
                    "notes": cache.notes,
                    "findings": findings,
                }
            )
            return 0
        if cache.folders:
            print_tables([cache_table(cache.folders, cache.in_use, cache.place)])
        for line in (*cache.notes, *missing_lines(cache.missing, cache.fillers)):
            print_paragraph(line, sys.stdout)
    return 0
