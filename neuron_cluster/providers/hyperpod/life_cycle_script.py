"""The life cycle script of nodes that join an EKS cluster.

HyperPod demands one for each group, and runs it again after each update of the AMI and each replacement of a node.
Source: https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-eks-operate-cli-command-create-cluster.html.
"""

from __future__ import annotations

import hashlib

SCRIPT = "on_create.sh"
PREFIX = "life-cycle"
TEXT = """#!/bin/bash
# Nodes of EKS need nothing from it: charts install what they run. It can run any number of times.
set -euo pipefail
echo "on_create.sh: nothing to install"
"""


MOST_CHARACTERS = 63
"""The most characters of the name of a bucket."""


def script_bucket_name(environment: str, account: str, region: str) -> str:
    """``sagemaker-<environment>-<account>-<region>``, with a digest in the place of the end of a long environment."""
    end = f"-{account}-{region}"
    room = MOST_CHARACTERS - len("sagemaker-") - len(end)
    if len(environment) > room:
        environment = f"{environment[: room - 7].rstrip('-')}-{digest(environment)[:6]}"
    return f"sagemaker-{environment}{end}"


def digest(text: str) -> str:
    """SHA-256 in hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()


def folder(text: str) -> str:
    """The prefix of the script in its bucket: another script has another one, and nodes that run keep theirs."""
    return f"{PREFIX}/{digest(text)[:12]}"
