"""The arguments of ``neuron-cluster workload`` that several actions share."""

from __future__ import annotations

import argparse
from pathlib import Path

from neuron_cluster.cli.arguments import a_count, add_environment

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
"""Of all bundled charts: `workload list` shows those that run in an environment."""


def add_choices(parser: argparse.ArgumentParser, *, must_name_namespace: bool) -> None:
    parser.add_argument("chart", metavar="CHART", help="a workload or job, as `workload list` shows it")
    add_environment(parser)
    parser.add_argument(
        "--group", metavar="GROUP", help="node group or compute node group (default: the only one that fits)"
    )
    parser.add_argument("--nodes", metavar="N", type=a_count, help="number of nodes of the job, or of one replica")
    parser.add_argument("--queue", metavar="QUEUE", help="queue (default: the group's; with Kueue '' for none)")
    parser.add_argument("--front-end", metavar="NAME", help=f"framework or tool of the chart: {', '.join(FRONT_ENDS)}")
    parser.add_argument("--bucket", metavar="NAME", help="S3 bucket for compiled graphs and profiles")
    parser.add_argument("--claim", metavar="NAME", help="PersistentVolumeClaim for checkpoints, weights and other data")
    parser.add_argument(
        "--model-config",
        metavar="FILE",
        type=Path,
        help="config.json of the model, to check whether it can be divided and fits Neuron devices and host",
    )
    parser.add_argument(
        "--set",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        dest="settings",
        help="set one chart value; may be repeated",
    )
    parser.add_argument("--values", metavar="FILE", type=Path, help="YAML file with chart values")
    parser.add_argument("--release", metavar="NAME", type=a_release, help="helm release (default: the chart's name)")
    parser.add_argument(
        "--namespace",
        metavar="NAME",
        type=a_namespace,
        required=must_name_namespace,
        help="namespace of the release" + ("" if must_name_namespace else " (default: the first of eks.namespaces)"),
    )


def add_job_choices(parser: argparse.ArgumentParser) -> None:
    """Those of jobs of the scheduler alone."""
    jobs = parser.add_argument_group("options of jobs of Slurm")
    jobs.add_argument("--devices", metavar="N", type=a_count, help="Neuron devices of each node (default: all)")
    jobs.add_argument("--time", metavar="TIME", help="time limit as Slurm writes it, such as 90 or 2-00:00:00")
    jobs.add_argument(
        "--variable",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        type=a_variable,
        dest="variables",
        help="environment variable of the job; may be repeated",
    )
    jobs.add_argument(
        "--sbatch",
        metavar="OPTION",
        action="append",
        default=[],
        type=a_word,
        dest="scheduler_options",
        help="another option of sbatch, long or short: --sbatch=--array=0-2; may be repeated",
    )
    jobs.add_argument(
        "--run",
        metavar="WORD",
        nargs=argparse.REMAINDER,
        default=[],
        type=a_word,
        dest="words",
        help="program and arguments of the job: all words to the end of the line",
    )


def add_refused_job_choices(parser: argparse.ArgumentParser) -> None:
    """Read, so that the command can state why it has no jobs, and not in its help; `--time` may be another option."""
    for option, name in (("--devices", "devices"), ("--variable", "variables"), ("--sbatch", "scheduler_options")):
        parser.add_argument(option, action="append", default=[], dest=name, help=argparse.SUPPRESS)
    parser.add_argument("--run", nargs=argparse.REMAINDER, default=[], dest="words", help=argparse.SUPPRESS)


def a_variable(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name.isascii() or not name.isidentifier():
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE, with a name of letters, digits and _")
    if any(ord(character) < ord(" ") for character in value):
        raise argparse.ArgumentTypeError(f"the value of {name} has a control character")
    return name, a_word(value)


def a_word(text: str) -> str:
    """Bytes other than text of UTF-8 cannot be written into a script."""
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise argparse.ArgumentTypeError(f"{text!r} is not text of UTF-8")
    return text


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


def a_place(text: str) -> str:
    if not text:
        raise argparse.ArgumentTypeError("the path is empty: expected a file, or a folder with a trailing /")
    return text
