"""The lifecycle script of a compute node group, whole: PCS runs it on each node before slurmd starts.

Not user data: EC2 limits it to 16 KiB, the files of a node have ten times as much, and nothing acts on user data that
failed. PCS verifies the checksum of a lifecycle script, and terminates a node on which it fails (docs/adr/0032).

Source: https://docs.aws.amazon.com/pcs/latest/userguide/cng-node-lifecycle-actions-configure.html
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from neuron_cluster.bootstrap.node_mounts import mount_functions, node_efs_commands, node_lustre_commands
from neuron_cluster.schedulers.slurm import node_start_script as parts
from neuron_cluster.schedulers.slurm.node_start_plan import NodeStartPlan

HEADER = Path(__file__).parent / "node_start" / "header.sh"
ACCESS_POINTS_OF_ARGUMENT = 10
"""An argument has 256 characters at most, an id of an access point 22."""


def node_script(start: NodeStartPlan) -> str:
    """The same plan gives the same bytes. Its arguments are those of ``start.arguments``, in their order."""
    functions = HEADER.read_text(encoding="utf-8") + parts.start_functions()
    texts = [
        f"{functions}\n{mount_functions()}\n{parts.user_functions()}",
        *_arguments(start),
        *parts.limits_and_files(start),
        *parts.closed_metadata(start),
        *parts.bucket_of_cache(start),
        *parts.devices(start),
        *_lustre(start),
        *_efs(start),
        *parts.users(start),
    ]
    return "".join(texts)


def _arguments(start: NodeStartPlan) -> Iterator[str]:
    """Values that only a stack has."""
    for position, name in enumerate(start.single_arguments, 1):
        yield f"{name}=${{{position}:?}}\n"
    if start.access_points:
        yield f'read -r -a access_points <<<"${{*:{len(start.single_arguments) + 1}}}"\n'


def _lustre(start: NodeStartPlan) -> Iterator[str]:
    if start.has_lustre:
        yield from _lines(node_lustre_commands('"$LUSTRE"', start.lustre_package))


def _efs(start: NodeStartPlan) -> Iterator[str]:
    ids = {name: f"${{access_points[{position}]}}" for position, name in enumerate(start.access_points)}
    if ids:
        yield from _lines(node_efs_commands("$EFS", ids, start.efs_package))


def _lines(commands: Iterator[str]) -> Iterator[str]:
    return (f"{command}\n" for command in commands)
