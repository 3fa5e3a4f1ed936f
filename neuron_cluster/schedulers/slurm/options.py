"""Options of `workload` for jobs of Slurm."""

from __future__ import annotations

import argparse

from neuron_cluster.protocol.option import GROUP, MODEL_CONFIG, NODES, QUEUE, Option, a_count

VERBS = ("render", "submit")
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
    Option(
        name="--devices",
        destination="devices",
        metavar="N",
        read=a_count,
        help="Neuron devices of each node (default: all)",
        verbs=VERBS,
        heading=HEADING,
    ),
    Option(
        name="--time",
        destination="time",
        metavar="TIME",
        help="time limit as Slurm writes it, such as 90 or 2-00:00:00",
        verbs=VERBS,
        heading=HEADING,
    ),
    Option(
        name="--variable",
        destination="variables",
        metavar="NAME=VALUE",
        read=a_variable,
        is_repeated=True,
        help="environment variable of the job; may be repeated",
        verbs=VERBS,
        heading=HEADING,
    ),
    Option(
        name="--sbatch",
        destination="scheduler_options",
        metavar="OPTION",
        read=a_word,
        is_repeated=True,
        help="another option of sbatch, long or short: --sbatch=--array=0-2; may be repeated",
        verbs=VERBS,
        heading=HEADING,
    ),
    Option(
        name="--run",
        destination="words",
        metavar="WORD",
        read=a_word,
        takes_rest=True,
        help="program and arguments of the job: all words to the end of the line",
        verbs=VERBS,
        heading=HEADING,
    ),
)
OPTIONS = (GROUP, QUEUE, NODES, MODEL_CONFIG, *OWN)
