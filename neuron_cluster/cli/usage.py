"""``neuron-cluster usage``: device-hours of teams, from the metrics of the cluster."""

from __future__ import annotations

import argparse
import re
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from neuron_cluster.cli.arguments import Verbs, add_environment, add_local_lock, add_verb

if TYPE_CHECKING:
    from neuron_cluster.opened_environment import OpenedEnvironment
    from neuron_cluster.usage.sources import Source
    from neuron_cluster.usage.window import Window

EXAMPLES = """  neuron-cluster usage train-trn1 --context train-trn1
  neuron-cluster usage train-trn1 --since 24h --context train-trn1
  neuron-cluster usage train-trn1 --prometheus http://localhost:9090 \\
    --format json | jq '.teams[] | {name, usd}'"""

TEXT = """Show the Neuron device-hours that each team reserved in Kueue, the share of
them that it used, the idle share of the nodes, and the cost at the prices of
the environment. It reads Prometheus: that of the add-on kube_prometheus_stack
through kubectl (--context), one by its address, or a recording. Only reads. An
hour without data is listed and makes a sum a lower bound; it is never 0."""

_SINCE = re.compile(r"([0-9]{1,4})([hd])\Z")


def a_period(text: str) -> timedelta:
    """``24h``, ``7d``. Raises ``ArgumentTypeError``."""
    from neuron_cluster.usage.window import LONGEST_DAYS

    found = _SINCE.match(text)
    number = int(found[1]) if found is not None else 0
    period = timedelta(days=number) if found is not None and found[2] == "d" else timedelta(hours=number)
    if not timedelta(hours=1) <= period <= timedelta(days=LONGEST_DAYS):
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a period: expected hours or days up to {LONGEST_DAYS}d, such as 24h or 7d"
        )
    return period


def add_to(verbs: Verbs) -> None:
    parser = add_verb(
        verbs, "usage", run, summary="show device-hours and cost of each team", text=TEXT, examples=EXAMPLES
    )
    add_environment(parser)
    add_local_lock(parser)
    parser.add_argument(
        "--since", metavar="TIME", type=a_period, default="7d", help="whole hours up to now: 24h, 7d (default: 7d)"
    )
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--context", metavar="NAME", help="context of the environment's cluster in the kubeconfig")
    source.add_argument("--prometheus", metavar="URL", help="address of a Prometheus, such as http://localhost:9090")
    source.add_argument("--recording", metavar="FILE", type=Path, help="recorded answers of Prometheus, as JSON")
    parser.add_argument(
        "--kubeconfig", metavar="FILE", type=Path, help="kubeconfig file (default: KUBECONFIG, ~/.kube/config)"
    )


def run(options: argparse.Namespace) -> int:
    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.cli.open_environment import open_environment
    from neuron_cluster.cli.terminal import print_findings, print_json, print_paragraph, print_tables
    from neuron_cluster.report.usage_page import usage_as_data, usage_notes, usage_tables
    from neuron_cluster.usage.answers import series_of
    from neuron_cluster.usage.queries import QUERIES
    from neuron_cluster.usage.usage import require_queue, usage_of

    opened = open_environment(options)
    require_queue(opened.plan)
    source, window = _source(opened, options)
    answers = {name: series_of(source.answer(name, window), name) for name in QUERIES}
    usage = usage_of(opened.plan, load_catalog(), window, answers)
    if options.format == "json":
        print_json({**usage_as_data(usage), "findings": [finding.as_dict() for finding in opened.findings]})
        return 0
    print_tables(usage_tables(usage))
    for sentence in usage_notes(usage):
        print_paragraph(sentence, sys.stdout)
    print_findings(opened.findings)
    return 0


def _source(opened: OpenedEnvironment, options: argparse.Namespace) -> tuple[Source, Window]:
    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.kube.cluster_context import open_kubectl, require_cluster
    from neuron_cluster.usage.sources import address_source, cluster_source, read_recording
    from neuron_cluster.usage.window import last_hours

    if options.recording is not None:
        recording = read_recording(options.recording)
        return recording, recording.window
    window = last_hours(datetime.now(UTC), options.since)
    if options.prometheus is not None:
        return address_source(options.prometheus), window
    plan, root = opened.plan, opened.project.root
    kubectl = open_kubectl(plan, options.context, options.kubeconfig, root, load_catalog())
    return cluster_source(require_cluster(plan), kubectl), window
