"""The lifecycle script of a compute node group, whole: PCS runs it on each node before slurmd starts.

Not user data: EC2 limits it to 16 KiB, the files of a node have ten times as much, and nothing acts on user data that
failed. PCS verifies the checksum of a lifecycle script, and terminates a node on which it fails (docs/adr/0032).

Source: https://docs.aws.amazon.com/pcs/latest/userguide/cng-node-lifecycle-actions-configure.html
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

from neuron_cluster.bootstrap.node_mounts import mount_functions, node_efs_commands, node_lustre_commands
from neuron_cluster.plan.addon_plan import CHECKPOINT_BUCKET_NAME
from neuron_cluster.schedulers.slurm.node_files import node_files, writing_commands
from neuron_cluster.schedulers.slurm.node_settings import FILE
from neuron_cluster.schedulers.slurm.node_start_plan import NodeStartPlan
from neuron_cluster.schedulers.slurm.script_settings import FOLDER, SLURM

FUNCTIONS = Path(__file__).parent / "node_start"
ACCESS_POINTS_OF_ARGUMENT = 10
"""An argument has 256 characters at most, an id of an access point 22."""


def node_script(start: NodeStartPlan) -> str:
    """The same plan gives the same bytes. Its arguments are those of ``start.arguments``, in their order."""
    parts = [
        "\n".join([_functions("start_node.sh"), mount_functions(), _functions("users.sh")]),
        *_arguments(start),
        "raise_limits\n",
        f"rm -rf {FOLDER}\n",
        *writing_commands(node_files(start.node)),
        *_metadata(start),
        *_bucket(start),
        *_devices(start),
        *_lustre(start),
        *_efs(start),
        *_users(start),
    ]
    return "".join(parts)


def _functions(name: str) -> str:
    return (FUNCTIONS / name).read_text(encoding="utf-8")


def _arguments(start: NodeStartPlan) -> Iterator[str]:
    """Values that only a stack has."""
    for position, name in enumerate(start.single_arguments, 1):
        yield f"{name}=${{{position}:?}}\n"
    if start.access_points:
        yield f'read -r -a access_points <<<"${{*:{len(start.single_arguments) + 1}}}"\n'


def _metadata(start: NodeStartPlan) -> Iterator[str]:
    """Yields the lines that close the instance metadata, before the users of teams exist."""
    if start.node.has_closed_metadata:
        yield f"close_metadata {FOLDER}/{SLURM}\n"


def _bucket(start: NodeStartPlan) -> Iterator[str]:
    if start.has_bucket:
        yield f'sed -i "s|{CHECKPOINT_BUCKET_NAME}|$BUCKET|" {FOLDER}/{SLURM}/{FILE}\n'


def _devices(start: NodeStartPlan) -> Iterator[str]:
    if start.lnc_shell is not None:
        yield start.lnc_shell
    if start.node.devices:
        yield f"wait_for_devices {start.node.devices}\n"


def _lustre(start: NodeStartPlan) -> Iterator[str]:
    if start.has_lustre:
        yield from _lines(node_lustre_commands('"$LUSTRE"', start.lustre_package))


def _efs(start: NodeStartPlan) -> Iterator[str]:
    ids = {name: f"${{access_points[{position}]}}" for position, name in enumerate(start.access_points)}
    if ids:
        yield from _lines(node_efs_commands("$EFS", ids, start.efs_package))


def _lines(commands: Iterator[str]) -> Iterator[str]:
    return (f"{command}\n" for command in commands)


def _users(start: NodeStartPlan) -> Iterator[str]:
    for user in start.users:
        yield f"add_user {shlex.quote(user.name)} {user.uid} {shlex.quote(user.home)}\n"
