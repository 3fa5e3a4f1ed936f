"""Shell that mounts Lustre: run twice it has the same result, and each failure ends it with a message."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
import yaml

from neuron_cluster.bootstrap.workstation_lustre import FOLDERS, MARK, lustre_mount_commands
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.lustre_client import ClientPackage

DNS = "fs-1.fsx.us-west-2.amazonaws.com"
SOURCE = "10.0.0.1@tcp:/abcde"
PROGRAMS = (
    "stat",
    "chmod",
    "dnf",
    "curl",
    "apt-get",
    "apt-mark",
    "mountpoint",
    "systemctl",
    "findmnt",
    "modprobe",
    "mount.lustre",
)
CHARTS = Path(__file__).parents[3] / "charts"
Machine = dict[str, str]


def package(system: str) -> ClientPackage:
    found = load_catalog().lustre_clients[system].package
    assert found is not None
    return found


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """Bodies of programs in the place of the machine's; each call is noted. Without a client until it is installed."""
    (tmp_path / "fstab").write_text("UUID=1 / xfs defaults 0 0\n")
    (tmp_path / "root").mkdir()
    bodies = dict.fromkeys(PROGRAMS, "exit 0")
    return bodies | {
        "mountpoint": "exit 1",
        "modprobe": f"test -e {tmp_path}/installed",
        "dnf": f"touch {tmp_path}/installed",
        "apt-get": f'case "$*" in *install*) touch {tmp_path}/installed ;; esac',
        "findmnt": f"echo {SOURCE}",
    }


def run(folder: Path, bodies: Machine, system: str = "Amazon Linux 2023") -> tuple[int, str, list[str], list[str]]:
    """Status, errors, the table of file systems and the calls, after the commands ran with the paths of a folder."""
    (folder / "bin").mkdir(exist_ok=True)
    (folder / "calls").write_text("")
    for name, body in bodies.items():
        program = folder / "bin" / name
        program.write_text(f'#!/bin/sh\necho "{name} $*" >> {folder}/calls\n{body}\n')
        program.chmod(0o755)
    script = "\n".join(lustre_mount_commands(DNS, "abcde", package(system)))
    for each in FOLDERS:
        script = script.replace(each, f"{folder}/root{each}")
    for each in ("/etc/", "/usr/share/keyrings/"):
        script = script.replace(each, f"{folder}/")
    (folder / "apt").mkdir(exist_ok=True)
    (folder / "apt" / "sources.list.d").mkdir(exist_ok=True)
    ran = subprocess.run(
        ["sh", "-c", script],
        env={"PATH": f"{folder / 'bin'}:/usr/bin:/bin"},
        text=True,
        capture_output=True,
        check=False,
    )
    table = (folder / "fstab").read_text().replace(f"{folder}/root", "").splitlines()
    calls = (folder / "calls").read_text().replace(f"{folder}/root", "").splitlines()
    return ran.returncode, ran.stderr, table, calls


def test_the_file_system_is_mounted_on_each_path_and_again_after_a_start(tmp_path: Path, machine: Machine) -> None:
    status, errors, table, calls = run(tmp_path, machine)
    assert (status, errors) == (0, "")
    common = f"_netdev,nofail,x-systemd.automount,{MARK}"
    wait = "x-systemd.requires=systemd-networkd-wait-online.service"
    assert table == [
        "UUID=1 / xfs defaults 0 0",
        f"{DNS}@tcp:/abcde /checkpoints lustre relatime,flock,{wait},{common} 0 0",
        f"/checkpoints /store none bind,{common} 0 0",
        f"/checkpoints /var/cache/neuron none bind,{common} 0 0",
    ]
    assert "dnf --quiet --assumeyes install lustre-client" in calls
    started = [each.split()[2] for each in calls if each.startswith("systemctl start")]
    assert started == ["checkpoints.automount", "store.automount", "var-cache-neuron.automount"]
    assert calls.index("systemctl daemon-reload") < calls.index("systemctl start checkpoints.automount")


def test_a_second_run_changes_nothing_and_installs_nothing(tmp_path: Path, machine: Machine) -> None:
    first = run(tmp_path, machine)
    status, _, table, calls = run(tmp_path, machine)
    assert (status, table) == (0, first[2])
    assert not [each for each in calls if each.startswith("dnf")]


def test_ubuntu_takes_the_client_of_its_kernel_from_the_repository_of_fsx_alone(
    tmp_path: Path, machine: Machine
) -> None:
    status, _, _, calls = run(tmp_path, machine, "Ubuntu 24.04")
    assert status == 0
    (line,) = (tmp_path / "apt/sources.list.d/fsx-lustre.list").read_text().splitlines()
    assert line.endswith("] https://fsx-lustre-client-repo.s3.amazonaws.com/ubuntu noble main")
    update, install = [each for each in calls if each.startswith("apt-get")]
    assert "Dir::Etc::sourceparts=- " in update
    kernel = subprocess.run(["uname", "-r"], text=True, capture_output=True, check=True).stdout.strip()
    assert install.endswith(f"--yes install lustre-client-modules-{kernel}")
    assert "apt-mark hold linux-aws linux-image-aws" in calls


@pytest.mark.parametrize(
    ("bodies", "message"),
    [
        ({"dnf": "exit 1"}, "Lustre: no package lustre-client for this kernel"),
        ({"dnf": "exit 0"}, "Lustre: the client has no module for this kernel"),
        ({"systemctl": 'test "$1" != start'}, "/checkpoints is another mount: unmount it"),
        ({"findmnt": "exit 1"}, "/checkpoints is not mounted; journalctl -b has the reason"),
        ({"findmnt": "echo 10.0.0.1@tcp:/abcdef"}, "/checkpoints is not mounted"),
    ],
    ids=["package", "module", "other mount", "not mounted", "another file system"],
)
def test_each_failure_ends_with_a_message(tmp_path: Path, machine: Machine, bodies: Machine, message: str) -> None:
    status, errors, _, _ = run(tmp_path, machine | bodies)
    assert status == 1
    assert message in errors


def test_a_repository_that_does_not_respond_is_reported(tmp_path: Path, machine: Machine) -> None:
    status, errors, _, _ = run(tmp_path, machine | {"curl": "exit 22"}, "Ubuntu 22.04")
    assert (status, errors) == (1, "Lustre: the key of the package repository was not downloaded\n")


@pytest.mark.parametrize(
    ("found", "changed"), [("0:755", ["chmod 1777 /checkpoints"]), ("0:1777", []), ("1000:755", [])]
)
def test_everyone_may_make_folders_in_a_root_that_is_as_fsx_created_it(
    tmp_path: Path, machine: Machine, found: str, changed: list[str]
) -> None:
    status, _, _, calls = run(tmp_path, machine | {"stat": f"echo {found}", "chmod": "exit 1"})
    assert (status, [each for each in calls if each.startswith("chmod")]) == (0, changed)


def test_files_that_a_mount_would_hide_are_left_as_they_are(tmp_path: Path, machine: Machine) -> None:
    file = tmp_path / "root/store/mine"
    file.parent.mkdir()
    file.write_text("kept")
    status, errors, table, calls = run(tmp_path, machine)
    assert status == 1
    assert "/store has files: move them" in errors
    assert (len(table), [each for each in calls if each.startswith("systemctl")]) == (1, [])


def test_the_paths_are_those_of_the_charts() -> None:
    values = {path.parent.name: yaml.safe_load(path.read_text()) for path in CHARTS.glob("*/values.yaml")}
    caches = {
        each["compileCache"]["mountPath"] for each in values.values() if "mountPath" in each.get("compileCache", {})
    }
    checkpoints, store = values["neuron-training"]["checkpoints"], values["model-store"]["store"]
    assert (checkpoints["mountPath"], store["mountPath"], *caches) == FOLDERS
