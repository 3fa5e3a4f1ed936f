"""EFS access points on a workstation: set on the instance that runs, because other user data would replace it."""

from __future__ import annotations

from collections.abc import Mapping

from neuron_cluster.bootstrap.mounts import (
    EFS,
    FSTAB,
    NETWORK_OPTIONS,
    access_point_folder,
    access_point_options,
    efs_client_command,
    efs_source,
    fstab_line,
)


def efs_mount_commands(file_system_id: str, access_points: Mapping[str, str], package: str) -> list[str]:
    """Shell that installs the mount helper and mounts access points, given by name with their ids.

    It may run as often as one likes. What an earlier run mounted and this one does not is unmounted.
    """
    folders = [access_point_folder(name) for name in access_points]
    options = [f"{NETWORK_OPTIONS},{access_point_options(identity)}" for identity in access_points.values()]
    source = efs_source(file_system_id)
    lines = [fstab_line(source, folder, EFS.kind, given) for folder, given in zip(folders, options, strict=True)]
    return [
        efs_client_command(package),
        f"sed -i '\\# {EFS.folder}/#d' {FSTAB}",
        *(f"echo '{line}' >> {FSTAB}" for line in lines),
        f'for each in {EFS.folder}/*; do grep --quiet " $each " {FSTAB} || umount --lazy "$each" || true; done',
        *(f"mkdir -p {folder}" for folder in folders),
        *(f"mountpoint --quiet {folder} || mount {folder}" for folder in folders),
    ]
