"""Options of `workload` for bundled charts and their releases."""

from __future__ import annotations

import argparse
from pathlib import Path

from neuron_cluster.protocol.option import GROUP, MODEL_CONFIG, NODES, QUEUE, Option, a_count

FRONT_ENDS = (
    "consolidate",
    "convert",
    "download",
    "drill",
    "jax",
    "nxd",
    "tokenize",
    "torch",
    "torchserve",
    "torchtitan",
    "vllm",
    "vllm_nxd",
)
"""Front ends of all bundled charts: `workload list` shows those that run in an environment."""
OF_A_RELEASE = ("status", "logs", "stop", "why")
"""Verbs that read one release in its cluster."""


def a_release(text: str) -> str:
    return _dns_label(text, 53)  # helm's own limit, below 63 because charts append suffixes


def a_namespace(text: str) -> str:
    return _dns_label(text, 63)


def _dns_label(text: str, longest: int) -> str:
    from neuron_cluster.kubernetes.dns_names import is_label

    if len(text) > longest or not is_label(text):
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a valid name: at most {longest} of a-z, 0-9 and '-', without '-' at either end"
        )
    return text


def a_rank(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"{text!r} is not a rank: expected a whole number of at least 0")
    return int(text)


def a_duration(text: str) -> str:
    if not (text[:-1].isascii() and text[:-1].isdigit() and text[-1:] in ("s", "m", "h")):
        raise argparse.ArgumentTypeError(f"{text!r} is not a duration: expected seconds, minutes or hours, such as 10m")
    return text


OF_CHARTS = (
    GROUP,
    NODES,
    QUEUE,
    Option(
        name="--front-end",
        destination="front_end",
        metavar="NAME",
        help=f"framework or tool of the chart: {', '.join(FRONT_ENDS)}",
    ),
    Option(name="--bucket", destination="bucket", metavar="NAME", help="S3 bucket for compiled graphs and profiles"),
    Option(
        name="--claim",
        destination="claim",
        metavar="NAME",
        help="PersistentVolumeClaim for checkpoints, weights and other data",
    ),
    MODEL_CONFIG,
    Option(
        name="--set",
        destination="settings",
        metavar="KEY=VALUE",
        is_repeated=True,
        help="set one chart value; may be repeated",
    ),
    Option(name="--values", destination="values", metavar="FILE", read=Path, help="YAML file with chart values"),
    Option(
        name="--release",
        destination="release",
        metavar="NAME",
        read=a_release,
        help="helm release (default: the chart's name)",
    ),
    Option(
        name="--namespace",
        destination="namespace",
        metavar="NAME",
        read=a_namespace,
        required_by=("submit",),
        help="namespace of the release (default: the first of eks.namespaces)",
    ),
    Option(
        name="--values-only",
        destination="values_only",
        verbs=("render",),
        help="print the values instead of the objects",
    ),
    Option(
        name="--context",
        destination="context",
        metavar="NAME",
        verbs=("submit",),
        required_by=("submit",),
        help="context in the kubeconfig; required for a chart",
    ),
)
IN_A_CLUSTER = (
    Option(
        name="--context",
        destination="context",
        metavar="NAME",
        verbs=(*OF_A_RELEASE, "list"),
        required_by=(*OF_A_RELEASE, "list"),
        help="context in the kubeconfig",
    ),
    Option(
        name="--kubeconfig",
        destination="kubeconfig",
        metavar="FILE",
        read=Path,
        verbs=("submit", *OF_A_RELEASE, "list"),
        help="kubeconfig file (default: KUBECONFIG, ~/.kube/config)",
    ),
    Option(
        name="--namespace",
        destination="namespace",
        metavar="NAME",
        read=a_namespace,
        verbs=OF_A_RELEASE,
        help="namespace of the release (default: the first of the environment)",
    ),
    Option(
        name="--namespace",
        destination="namespace",
        metavar="NAME",
        read=a_namespace,
        verbs=("list",),
        help="namespace of the release (default: all, with --running)",
    ),
    Option(
        name="--release",
        destination="release",
        metavar="NAME",
        read=a_release,
        verbs=OF_A_RELEASE,
        help="helm release, where NAME is a chart",
    ),
    Option(
        name="--delete",
        destination="delete",
        verbs=("stop",),
        help="uninstall the release when its pods have ended",
    ),
    Option(
        name="--helm",
        destination="helm",
        metavar="FILE",
        read=Path,
        verbs=("submit", "stop"),
        help="helm binary (default: the one for the cluster's version)",
    ),
)
OF_LOGS = (
    Option(
        name="--rank",
        destination="rank",
        metavar="N",
        read=a_rank,
        verbs=("logs",),
        excludes="pods",
        help="pod of this rank (default: the leader)",
    ),
    Option(name="--all", destination="all", verbs=("logs",), excludes="pods", help="all pods, with prefixes"),
    Option(
        name="--container",
        destination="container",
        metavar="NAME",
        verbs=("logs",),
        help="container (default: the pod's first)",
    ),
    Option(
        name="--previous",
        destination="previous",
        verbs=("logs",),
        help="of the container before its last restart",
    ),
    Option(name="--follow", destination="follow", verbs=("logs",), help="print new lines until Ctrl-C"),
    Option(
        name="--since",
        destination="since",
        metavar="TIME",
        read=a_duration,
        verbs=("logs",),
        help="only lines of the last 90s, 10m, 2h",
    ),
    Option(
        name="--tail",
        destination="tail",
        metavar="N",
        read=a_count,
        verbs=("logs",),
        help="only the last lines of each pod",
    ),
)
OPTIONS = (*OF_CHARTS, *IN_A_CLUSTER, *OF_LOGS)
