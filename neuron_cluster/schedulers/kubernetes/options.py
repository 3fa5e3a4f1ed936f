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
    from local_kubernetes.model.dns_names import is_label

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
    Option("--front-end", f"framework or tool of the chart: {', '.join(FRONT_ENDS)}", "NAME"),
    Option("--bucket", "S3 bucket for compiled graphs and profiles", "NAME"),
    Option("--claim", "PersistentVolumeClaim for checkpoints, weights and other data", "NAME"),
    MODEL_CONFIG,
    Option("--set", "set one chart value; may be repeated", "KEY=VALUE", stored_as="settings", is_repeated=True),
    Option("--values", "YAML file with chart values", "FILE", Path),
    Option("--release", "helm release (default: the chart's name)", "NAME", a_release),
    Option(
        "--namespace",
        "namespace of the release (default: the first of eks.namespaces)",
        "NAME",
        a_namespace,
        required_by=("submit",),
    ),
    Option("--values-only", "print the values instead of the objects", verbs=("render",)),
    Option(
        "--context",
        "context in the kubeconfig; required for a chart",
        "NAME",
        verbs=("submit",),
        required_by=("submit",),
    ),
)
IN_A_CLUSTER = (
    Option(
        "--context",
        "context in the kubeconfig",
        "NAME",
        verbs=(*OF_A_RELEASE, "list"),
        required_by=(*OF_A_RELEASE, "list"),
    ),
    Option(
        "--kubeconfig",
        "kubeconfig file (default: KUBECONFIG, ~/.kube/config)",
        "FILE",
        Path,
        verbs=("submit", *OF_A_RELEASE, "list"),
    ),
    Option(
        "--namespace",
        "namespace of the release (default: the first of the environment)",
        "NAME",
        a_namespace,
        verbs=OF_A_RELEASE,
    ),
    Option(
        "--namespace", "namespace of the release (default: all, with --running)", "NAME", a_namespace, verbs=("list",)
    ),
    Option("--release", "helm release, where NAME is a chart", "NAME", a_release, verbs=OF_A_RELEASE),
    Option("--delete", "uninstall the release when its pods have ended", verbs=("stop",)),
    Option(
        "--helm", "helm binary (default: the one for the cluster's version)", "FILE", Path, verbs=("submit", "stop")
    ),
)
OF_LOGS = (
    Option("--rank", "pod of this rank (default: the leader)", "N", a_rank, verbs=("logs",), excludes="pods"),
    Option("--all", "all pods, with prefixes", verbs=("logs",), excludes="pods"),
    Option("--container", "container (default: the pod's first)", "NAME", verbs=("logs",)),
    Option("--previous", "of the container before its last restart", verbs=("logs",)),
    Option("--follow", "print new lines until Ctrl-C", verbs=("logs",)),
    Option("--since", "only lines of the last 90s, 10m, 2h", "TIME", a_duration, verbs=("logs",)),
    Option("--tail", "only the last lines of each pod", "N", a_count, verbs=("logs",)),
)
OPTIONS = (*OF_CHARTS, *IN_A_CLUSTER, *OF_LOGS)
