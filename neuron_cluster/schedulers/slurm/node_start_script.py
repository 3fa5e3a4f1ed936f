"""Parts of the script that sets a node up, which is the same work whichever provider runs the script."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

from neuron_cluster.plan.addon_plan import CHECKPOINT_BUCKET_NAME
from neuron_cluster.schedulers.slurm.node_files import node_files, writing_commands
from neuron_cluster.schedulers.slurm.node_settings import FILE
from neuron_cluster.schedulers.slurm.node_start_plan import NodeStartPlan
from neuron_cluster.schedulers.slurm.script_settings import FOLDER, SLURM

FUNCTIONS = Path(__file__).with_name("node_start")


def start_functions() -> str:
    """Text of the functions that the parts below call; ``set -Eeuo pipefail`` is in it."""
    return (FUNCTIONS / "functions.sh").read_text(encoding="utf-8")


def user_functions() -> str:
    """Text of ``add_user``."""
    return (FUNCTIONS / "users.sh").read_text(encoding="utf-8")


def limits_and_files(start: NodeStartPlan) -> Iterator[str]:
    """Yields the lines that raise limits and write what Slurm runs."""
    yield "raise_limits\n"
    yield f"rm -rf {FOLDER}\n"
    yield from writing_commands(node_files(start.node))


def closed_metadata(start: NodeStartPlan) -> Iterator[str]:
    """Yields the lines that close the instance metadata, before the users of teams exist."""
    if start.node.has_closed_metadata:
        yield f"close_metadata {FOLDER}/{SLURM}\n"


def bucket_of_cache(start: NodeStartPlan) -> Iterator[str]:
    """Yields the line that names the bucket, which the variable ``BUCKET`` has."""
    if start.has_bucket:
        yield f'sed -i "s|{CHECKPOINT_BUCKET_NAME}|$BUCKET|" {FOLDER}/{SLURM}/{FILE}\n'


def devices(start: NodeStartPlan) -> Iterator[str]:
    """Yields the lines that set the LNC and wait for Neuron devices."""
    if start.lnc_shell is not None:
        yield start.lnc_shell
    if start.node.devices:
        yield f"wait_for_devices {start.node.devices}\n"


def users(start: NodeStartPlan) -> Iterator[str]:
    """Yields a line for each user."""
    for user in start.users:
        yield f"add_user {shlex.quote(user.name)} {user.uid} {shlex.quote(user.home)}\n"
