"""Options of `workload` for jobs of Slurm."""

from __future__ import annotations

import argparse

from neuron_cluster.protocol.option import GROUP, MODEL_CONFIG, NODES, PLACING, QUEUE, Option, a_count

VERBS = PLACING
HEADING = "options of jobs of Slurm"


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


OWN = (
    Option("--devices", "Neuron devices of each node (default: all)", "N", a_count, verbs=VERBS, heading=HEADING),
    # `workload rehearse` has another option of this name, and --limit for the time limit.
    Option(
        "--time",
        "time limit as Slurm writes it, such as 90 or 2-00:00:00",
        "TIME",
        verbs=("render", "submit"),
        heading=HEADING,
    ),
    Option(
        "--variable",
        "environment variable of the job; may be repeated",
        "NAME=VALUE",
        a_variable,
        stored_as="variables",
        is_repeated=True,
        verbs=VERBS,
        heading=HEADING,
    ),
    Option(
        "--sbatch",
        "another option of sbatch, long or short: --sbatch=--array=0-2; may be repeated",
        "OPTION",
        a_word,
        stored_as="scheduler_options",
        is_repeated=True,
        verbs=VERBS,
        heading=HEADING,
    ),
    Option(
        "--run",
        "program and arguments of the job: all words to the end of the line",
        "WORD",
        a_word,
        stored_as="arguments",
        takes_rest=True,
        verbs=VERBS,
        heading=HEADING,
    ),
)
OPTIONS = (GROUP, QUEUE, NODES, MODEL_CONFIG, *OWN)
