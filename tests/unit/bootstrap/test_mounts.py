"""Mounts of workstations and nodes: two programs, with paths, sources, options and packages of one module."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from neuron_cluster.bootstrap import mounts
from neuron_cluster.bootstrap.node_mounts import mount_functions, node_efs_commands, node_lustre_commands
from neuron_cluster.bootstrap.workstation_efs import efs_mount_commands
from neuron_cluster.bootstrap.workstation_lustre import lustre_mount_commands
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.lustre_client import ClientPackage

ROOT = Path(__file__).parents[3]
HOME = "neuron_cluster/bootstrap/mounts.py"
OF_MOUNTS = re.compile(r"noresvport|_netdev|noatime|relatime|@tcp:/\{|[\"'](?:/efs|/fsx)\b")
"""Options of clients, sources and paths of mounts."""
PACKAGES = [client.package for client in load_catalog().lustre_clients if client.package is not None]


def node_line(folder: Path, *commands: str) -> str:
    """The line of /etc/fstab that commands of a node write."""
    head = f"fstab={folder}/fstab\ntouch $fstab\nretry() {{ :; }}\nfail() {{ exit 1; }}\nmkdir() {{ :; }}\n"
    script = "\n".join([head, mount_functions(), *(each for each in commands if each.startswith("mount_at "))])
    subprocess.run(["bash", "-euc", script], check=True)
    return (folder / "fstab").read_text().strip()


def test_options_and_paths_of_mounts_stand_in_one_module() -> None:
    files = [path for name in ("neuron_cluster", "stacks") for path in (ROOT / name).rglob("*") if path.is_file()]
    texts = {str(path.relative_to(ROOT)): path.read_text("utf-8") for path in files if path.suffix in (".py", ".sh")}
    assert {name for name, text in texts.items() if OF_MOUNTS.search(text)} == {HOME}


def test_node_and_workstation_write_the_same_line_for_an_access_point(tmp_path: Path) -> None:
    line = node_line(tmp_path, *node_efs_commands("fs-1", {"home": "fsap-1"}, None))
    assert line == "fs-1:/ /efs/home efs _netdev,nofail,noresvport,tls,accesspoint=fsap-1 0 0"
    assert f"echo '{line}' >> /etc/fstab" in efs_mount_commands("fs-1", {"home": "fsap-1"}, "amazon-efs-utils")


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.name)
def test_node_and_workstation_install_lustre_alike_except_for_the_retry(package: ClientPackage) -> None:
    shared = mounts.lustre_client_commands(package)
    workstation = lustre_mount_commands("fs-1", "abcde", package)
    node = [each.replace("retry env ", "") for each in node_lustre_commands('"$LUSTRE"', package)]
    assert workstation[1 : 1 + len(shared)] == node[: len(shared)] == shared


def test_lustre_of_a_node_is_mounted_at_its_start_and_not_by_systemd(tmp_path: Path) -> None:
    line = node_line(tmp_path, *node_lustre_commands(mounts.lustre_source("fs-1", "abcde"), None))
    assert line == "fs-1@tcp:/abcde /fsx lustre _netdev,nofail,noatime,flock 0 0"
    assert "x-systemd.automount" in str(lustre_mount_commands("fs-1", "abcde", PACKAGES[0]))


def test_a_node_without_a_known_package_needs_the_client_in_its_ami() -> None:
    assert next(node_lustre_commands('"$LUSTRE"', None)).startswith("mount_at /fsx lustre ")
    (first, _) = node_efs_commands("$EFS", {"home": "${access_points[0]}"}, None)
    assert first == (
        'command -v mount.efs >/dev/null || fail "the AMI has no EFS mount helper: install amazon-efs-utils in it"'
    )
