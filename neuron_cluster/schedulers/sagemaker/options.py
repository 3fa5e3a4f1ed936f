"""Options of training jobs."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from neuron_cluster.protocol.option import NODES, Option

NAME = re.compile(r"[a-zA-Z0-9](-*[a-zA-Z0-9]){0,62}")
"""TrainingJobName; boto/botocore 1.44.5."""


def a_job_name(text: str) -> str:
    """A name that SageMaker accepts. Raises ``ArgumentTypeError``."""
    if not NAME.fullmatch(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a name of 1 to 63 letters, digits and inner hyphens")
    return text


JOB_NAME = Option(
    "--job-name",
    "name of the training job in SageMaker (default: that of the file, and the time)",
    "NAME",
    a_job_name,
    verbs=("render", "submit"),
)
S3 = Option(
    "--s3",
    "folder with the objects of S3: the next rehearsal with it resumes from its checkpoints (default: none is kept)",
    "DIR",
    Path,
    verbs=("rehearse",),
)
OPTIONS = (NODES, JOB_NAME, S3)
