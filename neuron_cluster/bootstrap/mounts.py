"""Shared file systems of workstations and of nodes of every provider: clients, paths, sources and options.

Two programs write /etc/fstab with what is here, and differ on purpose:

- ``workstation_lustre`` and ``workstation_efs`` run by Systems Manager on an instance that runs, at each change of the
  file. Lustre becomes an automount unit: a workstation is stopped and started, and people reach it without the file
  system. The first access mounts it.
- ``node_mounts`` is a part of the program that starts a node. It mounts at once and tries again for two minutes; a node
  without its file systems ends, since jobs would fail on it.
"""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.catalog.lustre_client import ClientPackage

FSTAB = "/etc/fstab"
NETWORK_OPTIONS = "_netdev,nofail"
"""Options of every line. Without ``nofail`` an instance whose file system does not respond would not start."""


class Mount(Struct, frozen=True, kw_only=True):
    """A kind of file system and where it is mounted."""

    kind: str
    """Type in /etc/fstab."""
    folder: str
    options: str
    """Options of the client."""


WORKSTATION_LUSTRE = Mount(kind="lustre", folder="/checkpoints", options="relatime,flock")
"""At the path that pods of neuron-training have.

Source: https://docs.aws.amazon.com/fsx/latest/LustreGuide/mount-fs-auto-mount-onreboot.html; options also in
"Mounting from an Amazon EC2 instance" of the same guide
"""
NODE_LUSTRE = Mount(kind="lustre", folder="/fsx", options="noatime,flock")
"""At the path of the user guide and of reference architectures. ``noatime``: reads of many nodes write no access times.

Source: https://docs.aws.amazon.com/fsx/latest/LustreGuide/mounting-ec2-instance.html;
awslabs/awsome-distributed-ai@95b939c
"""
EFS = Mount(kind="efs", folder="/efs", options="noresvport,tls")
"""The folder of access points, on workstations and nodes.

Source: https://docs.aws.amazon.com/efs/latest/ug/mount-fs-auto-mount-update-fstab.html
"""

KEY_FILE = "/usr/share/keyrings/fsx-lustre.asc"
SOURCES = "/etc/apt/sources.list.d/fsx-lustre.list"
APT = "DEBIAN_FRONTEND=noninteractive apt-get --quiet -o DPkg::Lock::Timeout=600"
APT_UPDATE = f"{APT} -o Dir::Etc::sourcelist={SOURCES} -o Dir::Etc::sourceparts=- -o APT::Get::List-Cleanup=0 update"
"""Reads only this repository: mirrors of Ubuntu use HTTP, which the security group of workstations does not allow."""


def access_point_folder(name: str) -> str:
    """The path of an access point: ``home`` is mounted on ``/efs/home``."""
    return f"{EFS.folder}/{name}"


def lustre_source(dns_name: str, mount_name: str) -> str:
    """The file system, as mount.lustre reads it."""
    return f"{dns_name}@tcp:/{mount_name}"


def efs_source(file_system_id: str) -> str:
    """The file system, as mount.efs reads it."""
    return f"{file_system_id}:/"


def access_point_options(access_point_id: str) -> str:
    """Options of mount.efs for an access point."""
    return f"{EFS.options},accesspoint={access_point_id}"


def fstab_line(source: str, folder: str, kind: str, options: str) -> str:
    """A line of /etc/fstab, without a dump and without a check at boot."""
    return f"{source} {folder} {kind} {options} 0 0"


def efs_client_command(package: str) -> str:
    """Shell that installs the mount helper of EFS."""
    return f"dnf --quiet --assumeyes install {package}"


def lustre_client_commands(package: ClientPackage, *, retry: str = "") -> list[str]:
    """Shell that installs the client; nothing where the image has it for its kernel. It calls ``fail MESSAGE``.

    ``retry`` is a function that repeats a command: apt-get update does not wait for another one that runs.
    """
    no_key = 'fail "the key of the package repository was not downloaded"'
    failed = f'fail "no package {package.name} for this kernel"'
    if package.repository is None:
        steps = [f"dnf --quiet --assumeyes install {package.name} || {failed}"]
    else:
        steps = [
            f"curl --fail --silent --show-error --location --output {KEY_FILE} {package.repository_key} || {no_key}",
            f"echo 'deb [signed-by={KEY_FILE}] {package.repository}' > {SOURCES}",
            f'{f"{retry} env " if retry else ""}{APT_UPDATE} || fail "the package repository does not respond"',
            f"{APT} --yes install {package.name} || {failed}",
        ]
    held = [f"apt-mark hold {' '.join(package.held)} || true"] if package.held else []
    return [
        "if ! command -v mount.lustre > /dev/null || ! modprobe --quiet lustre; then",
        *steps,
        'modprobe lustre || fail "the client has no module for this kernel"',
        "fi",
        *held,
    ]


def open_root_command(folder: str) -> str:
    """Shell that lets everyone create files in the root of a file system that is mounted here.

    As FSx creates it, only root writes there. In a cluster a Job does the same. With root squash it stays as it is.
    """
    return f'if [ "$(stat --format=%u:%a {folder})" = 0:755 ]; then chmod 1777 {folder} || true; fi'
