"""Lustre on a workstation: set on the instance that runs, because other user data would replace it."""

from __future__ import annotations

from neuron_cluster.catalog.lustre_client import ClientPackage

LUSTRE_FOLDER = "/checkpoints"
"""The mount of the file system, at the path that pods of neuron-training have."""
FURTHER_FOLDERS = ("/store", "/var/cache/neuron")
"""The same files at the paths of model-store and of compile caches. A test compares the charts."""
FOLDERS = (LUSTRE_FOLDER, *FURTHER_FOLDERS)
FSTAB = "/etc/fstab"
MARK = "x-neuron-cluster.lustre"
"""Option of the lines in /etc/fstab that the toolkit writes. mount(8) passes no option of ``x-`` on."""
KEY_FILE = "/usr/share/keyrings/fsx-lustre.asc"
SOURCES = "/etc/apt/sources.list.d/fsx-lustre.list"
APT = "DEBIAN_FRONTEND=noninteractive apt-get --quiet -o DPkg::Lock::Timeout=600"
APT_UPDATE = f"{APT} -o Dir::Etc::sourcelist={SOURCES} -o Dir::Etc::sourceparts=- -o APT::Get::List-Cleanup=0 update"
"""Of this repository alone: mirrors of Ubuntu use HTTP, which the security group of workstations does not allow."""


def lustre_mount_commands(dns_name: str, mount_name: str, package: ClientPackage) -> list[str]:
    """Shell that installs the client and mounts the file system on ``FOLDERS``; it may run as often as one likes.

    It ends with status 1 and a message where a folder is not the file system.

    Source: https://docs.aws.amazon.com/fsx/latest/LustreGuide/mount-fs-auto-mount-onreboot.html
    """
    lines = _fstab(f"{dns_name}@tcp:/{mount_name}", package.network_unit)
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
        open_root_command(LUSTRE_FOLDER),
    ]


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

    As FSx creates it, the root is root's alone. In a cluster a Job does the same. With root squash it stays as it is.
    """
    return f'if [ "$(stat --format=%u:%a {folder})" = 0:755 ]; then chmod 1777 {folder} || true; fi'


def _fstab(source: str, network_unit: str) -> list[str]:
    """systemd mounts each at its first use, also after a start at which the file system did not respond."""
    common = f"_netdev,nofail,x-systemd.automount,{MARK}"
    return [
        f"{source} {LUSTRE_FOLDER} lustre relatime,flock,x-systemd.requires={network_unit},{common} 0 0",
        *(f"{LUSTRE_FOLDER} {folder} none bind,{common} 0 0" for folder in FURTHER_FOLDERS),
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
