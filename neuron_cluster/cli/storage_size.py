"""``neuron-cluster storage size``: the checkpoint storage that a training needs."""

from __future__ import annotations

import argparse
import sys

from neuron_cluster.cli.arguments import Verbs, add_verb
from neuron_cluster.cli.checkpoint_arguments import DEPLOYMENT_TYPE, add_checkpoint_arguments, spec_of

TEXT = """Compute the size, time, loss and price of checkpoints from the model, the
framework and the nodes, and choose the cheapest FSx for Lustre file system that
takes them: large enough for the kept checkpoints, fast enough for the interval
and the stall. Prints each number with its formula. Needs no environment and no
account."""

EXAMPLES = """  neuron-cluster storage size --parameters 70B --framework dcp \\
    --instance-type trn1.32xlarge --nodes 32 --region us-east-2
  neuron-cluster storage size --model llama-3.1-70b --framework nxd_xser \\
    --tensor-parallel 32 --pipeline-parallel 8 --tensors-per-rank 80 \\
    --instance-type trn1.32xlarge --nodes 32 --region us-west-2 \\
    --mode async --interval-minutes 30 --noncurrent-days 3"""


def add_to(actions: Verbs) -> None:
    parser = add_verb(actions, "size", run, summary="compute what a training needs", text=TEXT, examples=EXAMPLES)
    add_checkpoint_arguments(parser)


def run(options: argparse.Namespace) -> int:
    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.checkpoints.plan_checkpoints import plan_checkpoints
    from neuron_cluster.cli.terminal import print_json, print_paragraph, print_tables
    from neuron_cluster.report.checkpoint_page import checkpoint_plan_as_data, checkpoint_tables, shortfall_sentences

    spec = spec_of(options, load_catalog())
    plan = plan_checkpoints(spec, options.region, DEPLOYMENT_TYPE, load_catalog())
    sentences = shortfall_sentences(plan)
    if options.format == "json":
        print_json({**checkpoint_plan_as_data(plan), "shortfalls": sentences})
    else:
        print_tables(checkpoint_tables(plan, load_catalog()))
        for sentence in sentences:
            print_paragraph(sentence, sys.stdout)
    return 1 if sentences else 0
