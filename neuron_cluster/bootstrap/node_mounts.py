"""Shared file systems on a node: shell for the program that starts a node, of any provider.

The program has bash, ``set -e``, the variable ``fstab`` and the functions ``fail MESSAGE`` and ``retry COMMAND``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from neuron_cluster.bootstrap.mounts import (
    EFS,
    NETWORK_OPTIONS,
    NODE_LUSTRE,
    access_point_folder,
    access_point_options,
    efs_client_command,
    efs_source,
    fstab_line,
    lustre_client_commands,
    open_root_command,
)
from neuron_cluster.catalog.lustre_client import ClientPackage

FUNCTIONS = Path(__file__).parent / "node_shell" / "mounts.sh"
LINE = "@LINE@"
"""Place of the line of /etc/fstab in the functions."""


def mount_functions() -> str:
    """Shell functions that the commands of this module call."""
    line = fstab_line("$3", "$1", "$2", f"{NETWORK_OPTIONS},$4")
    return FUNCTIONS.read_text(encoding="utf-8").replace(LINE, line)


def node_lustre_commands(source: str, package: ClientPackage | None) -> Iterator[str]:
    """Shell that installs the client and mounts the file system. ``source`` is a shell word.

    ``package`` is None where the AMI has to have the client.
    """
    if package is not None:
        yield from lustre_client_commands(package, retry="retry")
    yield f"mount_at {NODE_LUSTRE.folder} {NODE_LUSTRE.kind} {source} {NODE_LUSTRE.options}"
    yield open_root_command(NODE_LUSTRE.folder)


def node_efs_commands(file_system_id: str, access_points: Mapping[str, str], package: str | None) -> Iterator[str]:
    """Shell that installs the mount helper and mounts access points, given by name with their ids.

    Ids are shell expressions between double quotes. ``package`` is None where the AMI has to have the helper.
    """
    missing = 'fail "the AMI has no EFS mount helper: install amazon-efs-utils in it"'
    install = f"{efs_client_command(package)} || " if package is not None else ""
    yield f"command -v mount.efs >/dev/null || {install}{missing}"
    for name, identity in access_points.items():
        options = access_point_options(identity)
        yield f'mount_at {access_point_folder(name)} {EFS.kind} "{efs_source(file_system_id)}" "{options}"'
