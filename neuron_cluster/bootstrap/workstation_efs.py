"""EFS access points on a workstation: set on the instance that runs, because other user data would replace it."""

from __future__ import annotations

from collections.abc import Mapping

FOLDER = "/efs"
"""The access point ``home`` is mounted on ``/efs/home``."""
FSTAB = "/etc/fstab"
OPTIONS = "_netdev,nofail,noresvport,tls"
"""Without ``nofail`` an instance whose file system does not respond would not start.

Source: https://docs.aws.amazon.com/efs/latest/ug/mount-fs-auto-mount-update-fstab.html
"""


def efs_mount_commands(file_system_id: str, access_points: Mapping[str, str], package: str) -> list[str]:
    """Shell that installs the mount helper and mounts access points, given by name with their ids.

    It may run as often as one likes. What an earlier run mounted and this one does not is unmounted.
    """
    lines = [
        f"{file_system_id}:/ {FOLDER}/{name} efs {OPTIONS},accesspoint={identity} 0 0"
        for name, identity in access_points.items()
    ]
    return [
        f"dnf --quiet --assumeyes install {package}",
        f"sed -i '\\# {FOLDER}/#d' {FSTAB}",
        *(f"echo '{line}' >> {FSTAB}" for line in lines),
        f'for each in {FOLDER}/*; do grep --quiet " $each " {FSTAB} || umount --lazy "$each" || true; done',
        *(f"mkdir -p {FOLDER}/{name}" for name in access_points),
        *(f"mountpoint --quiet {FOLDER}/{name} || mount {FOLDER}/{name}" for name in access_points),
    ]
