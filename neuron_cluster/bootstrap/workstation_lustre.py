"""Lustre on a workstation: set on the instance that runs, because other user data would replace it."""

from __future__ import annotations

from neuron_cluster.bootstrap.mounts import (
    FSTAB,
    NETWORK_OPTIONS,
    WORKSTATION_LUSTRE,
    fstab_line,
    lustre_client_commands,
    lustre_source,
    open_root_command,
)
from neuron_cluster.catalog.lustre_client import ClientPackage

FURTHER_FOLDERS = ("/store", "/var/cache/neuron")
"""The same files at the paths of model-store and of compile caches. A test compares the charts."""
FOLDERS = (WORKSTATION_LUSTRE.folder, *FURTHER_FOLDERS)
MARK = "x-neuron-cluster.lustre"
"""Option of the lines in /etc/fstab that the toolkit writes. mount(8) passes no option of ``x-`` on."""


def lustre_mount_commands(dns_name: str, mount_name: str, package: ClientPackage) -> list[str]:
    """Shell that installs the client and mounts the file system on ``FOLDERS``; it may run as often as one likes.

    It ends with status 1 and a message where a folder is not the file system.
    """
    lines = _fstab(lustre_source(dns_name, mount_name), package.network_unit)
    return [
        'fail() { echo "Lustre: $1" >&2; exit 1; }',
        *lustre_client_commands(package),
        *(f"mkdir -p {folder}" for folder in FOLDERS),
        *(
            f'mountpoint --quiet {folder} || [ -z "$(ls -A {folder})" ] || fail "{folder} has files: move them"'
            for folder in FOLDERS
        ),
        f"sed -i '/{MARK}/d' {FSTAB}",
        *(f"echo '{line}' >> {FSTAB}" for line in lines),
        "systemctl daemon-reload",
        *(f'systemctl start {_unit(folder)} || fail "{folder} is another mount: unmount it"' for folder in FOLDERS),
        *(_check(folder, mount_name) for folder in FOLDERS),
        open_root_command(WORKSTATION_LUSTRE.folder),
    ]


def _fstab(source: str, network_unit: str) -> list[str]:
    """systemd mounts each at its first use, also after a start at which the file system did not respond."""
    mount, common = WORKSTATION_LUSTRE, f"{NETWORK_OPTIONS},x-systemd.automount,{MARK}"
    options = f"{mount.options},x-systemd.requires={network_unit},{common}"
    return [
        fstab_line(source, mount.folder, mount.kind, options),
        *(fstab_line(mount.folder, folder, "none", f"bind,{common}") for folder in FURTHER_FOLDERS),
    ]


def _unit(folder: str) -> str:
    """The name that systemd derives from a path without characters to escape."""
    return f"{folder.strip('/').replace('/', '-')}.automount"


def _check(folder: str, mount_name: str) -> str:
    """``ls`` makes systemd mount; the source then is ADDRESS@tcp:/NAME."""
    found = f"findmnt --noheadings --types lustre --output SOURCE --mountpoint {folder}"
    return (
        f"ls {folder} > /dev/null && {found} | grep --quiet ':/{mount_name}$' "
        f'|| fail "{folder} is not mounted; journalctl -b has the reason"'
    )
