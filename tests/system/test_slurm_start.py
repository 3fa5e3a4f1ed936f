"""The lifecycle script of Slurm nodes as it is uploaded, run by root with mount(8) and useradd(8) of this machine."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.providers.pcs.node_script import node_script
from neuron_cluster.providers.pcs.plan.slurm_plan import SlurmGroupPlan, SlurmPlan
from neuron_cluster.schedulers.slurm.node_files import SCRIPTS

from .throwaway_root import needs_throwaway_root, run_in_throwaway_root

pytestmark = [pytest.mark.system, pytest.mark.slow, needs_throwaway_root]

EDITS = {
    "slurm.dlami": "base_amazon_linux_2023",
    "slurm.groups": [
        {
            "name": "trn1",
            "instance_type": "trn1.32xlarge",
            "count": {"max": 4},
            "availability_zone": "usw2-az4",
            "root_volume": {"size_gib": 512},
        }
    ],
    "storage": {
        "checkpoint_bucket": {},
        "compile_cache": {},
        "lustre": {"availability_zone": "usw2-az4", "capacity_gib": 1200},
        "efs": {"access_points": [{"name": "home", "path": "/home"}, {"name": "tools", "path": "/tools"}]},
    },
}
ARGUMENTS = "'fs-1.fsx.us-west-2.amazonaws.com@tcp:/abcde' fs-2 'fsap-1 fsap-2'"
FILE_SERVER = """\
#!/bin/bash
# mount(8) runs it for a file system that the kernel does not know: SOURCE FOLDER -o OPTIONS.
echo "${0##*/} $*" >>/calls
folder=/served/$(echo "$1" "$4" | tr -c 'a-z0-9\\n' _)
mkdir -p "$folder"
exec mount --no-canonicalize --internal-only --bind "$folder" "$2"
"""
RULES = '#!/bin/bash\necho "nft $*" >>/calls; cat >/rules\n'
CALLED = '#!/bin/bash\necho "${0##*/} $*" >>/calls\n'
DEVICES = "for number in {0..15}; do mknod /dev/neuron$number c 1 3; done\n"
START = f"set -e\nbash /start.sh {ARGUMENTS}\n"

RESEARCH = {
    "name": "research",
    "members": ["arn:aws:iam::111122223333:role/research"],
    "namespaces": [{"name": "research"}],
}

Ran = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def trn1(plan_of: Callable[..., Any]) -> SlurmGroupPlan:
    slurm = plan_of("slurm-trn1", {**EDITS, "teams": [RESEARCH]}).provider(SlurmPlan)
    assert slurm is not None
    found: SlurmGroupPlan = slurm.groups[0]
    return found


@pytest.fixture
def run(trn1: SlurmGroupPlan, tmp_path: Path) -> Ran:
    """Returns a run of the script, with programs in place of those that this machine does not have."""

    def run(checks: str, **programs: str) -> subprocess.CompletedProcess[str]:
        made = {"nft": RULES, "mount.lustre": FILE_SERVER, "mount.efs": FILE_SERVER, "modprobe": CALLED, "dnf": CALLED}
        files = {f"/usr/sbin/{name}": text for name, text in {**made, **programs}.items()}
        sleepless = {"/usr/bin/sleep": CALLED}
        return run_in_throwaway_root(tmp_path, {**files, **sleepless, "/start.sh": node_script(trn1.start)}, checks)

    return run


def test_a_node_has_its_files_and_mounts(run: Ran) -> None:
    show = "findmnt --noheadings --output TARGET --list | grep -E '^/(fsx|efs)' | sort\n"
    show += "grep -E 'fsx|efs' /etc/fstab\nstat --format=%a /fsx\n"
    show += "cd /opt/neuron-cluster; sha256sum slurm/*.sh jobs/* training/* | wc -l; cat slurm/node.conf\n"
    ran = run(DEVICES + START + show)
    assert ran.returncode == 0, ran.stderr
    lines = ran.stdout.splitlines()
    assert lines[:3] == ["/efs/home", "/efs/tools", "/fsx"]
    assert lines[3:6] == [
        "fs-1.fsx.us-west-2.amazonaws.com@tcp:/abcde /fsx lustre _netdev,nofail,noatime,flock 0 0",
        "fs-2:/ /efs/home efs _netdev,nofail,noresvport,tls,accesspoint=fsap-1 0 0",
        "fs-2:/ /efs/tools efs _netdev,nofail,noresvport,tls,accesspoint=fsap-2 0 0",
    ]
    assert lines[6] == "1777"
    assert int(lines[7]) > 20
    assert "COMPILE_CACHE='~/neuron-compile-cache'" in lines
    assert "MOUNTS='/fsx /efs/home /efs/tools'" in lines


def test_a_node_of_a_cluster_without_teams_has_the_compile_cache_of_the_bucket(
    tmp_path: Path, plan_of: Callable[..., Any]
) -> None:
    storage = {"checkpoint_bucket": {}, "compile_cache": {}}
    slurm = plan_of("slurm-trn1", {"storage": storage}).provider(SlurmPlan)
    show = f"{DEVICES}bash /start.sh bucket-1\ngrep COMPILE_CACHE /opt/neuron-cluster/slurm/node.conf\n"
    ran = run_in_throwaway_root(tmp_path, {"/start.sh": node_script(slurm.groups[0].start)}, show)
    assert ran.stdout == "COMPILE_CACHE='s3://bucket-1/compile-cache'\n", ran.stderr


def test_root_alone_reaches_the_instance_metadata_from_the_first_moment_of_each_boot(run: Ran) -> None:
    """A member may have a timer, or a session, before the script runs at a reboot."""
    unit = "cd /etc/systemd/system/sysinit.target.wants; cat neuron-cluster-metadata.service\n"
    again = "$(sed -n 's/^ExecStart=//p' neuron-cluster-metadata.service); head -n 1 /rules; grep -c nft /calls\n"
    ran = run(f"{DEVICES}{START}{START}{unit}rm /rules\n{again}")
    assert ran.returncode == 0, ran.stderr
    lines = ran.stdout.splitlines()
    assert {"Before=network-pre.target", "Wants=network-pre.target", "DefaultDependencies=no"} <= set(lines)
    assert lines[-2:] == ["table inet neuron_cluster", "3"]


def test_a_second_boot_has_the_same_result(run: Ran) -> None:
    ran = run(f"{DEVICES}{START}cp /etc/fstab /before\n{START}diff /before /etc/fstab && grep -c ' /fsx ' /etc/fstab\n")
    assert (ran.returncode, ran.stdout) == (0, "1\n"), ran.stderr


def test_sessions_and_jobs_may_lock_memory(run: Ran) -> None:
    units = ("slurmd", "amazon-ssm-agent", "snap.amazon-ssm-agent.amazon-ssm-agent")
    files = " ".join(f"/etc/systemd/system/{unit}.service.d/neuron-cluster.conf" for unit in units)
    ran = run(f"{DEVICES}{START}cat {files} /etc/security/limits.d/99-neuron-cluster.conf\n{START}")
    assert ran.stdout.count("LimitMEMLOCK=infinity\n") == len(units), ran.stderr
    assert "* - memlock unlimited\n" in ran.stdout


def test_files_of_the_toolkit_replace_those_of_the_ami(run: Ran) -> None:
    """An older release built it."""
    older = "mkdir -p /opt/neuron-cluster/slurm; cd /opt/neuron-cluster/slurm; echo older | tee prolog.sh removed.sh\n"
    ran = run(f"{older}cd /\n{DEVICES}{START}cat /opt/neuron-cluster/slurm/prolog.sh; ls /opt/neuron-cluster/slurm\n")
    assert (SCRIPTS / "prolog.sh").read_text(encoding="utf-8") in ran.stdout
    assert "removed.sh" not in ran.stdout, ran.stderr


def test_a_team_has_a_user_and_a_home_on_the_shared_file_system(run: Ran) -> None:
    show = 'id team-research; getent passwd team-research; stat --format="%a %U %G" /fsx/home/team-research\n'
    show += "su team-research --command 'touch ~/written' && ls /served/*abcde*/home/team-research\n"
    ran = run(DEVICES + START + show)
    assert ran.stdout.splitlines() == [
        "uid=25024(team-research) gid=25024(team-research) groups=25024(team-research)",
        "team-research:x:25024:25024::/fsx/home/team-research:/bin/bash",
        "700 team-research team-research",
        "written",
    ], ran.stderr


def test_a_home_that_another_node_has_created_stays(run: Ran) -> None:
    home = "/fsx/home/team-research"
    kept = f"echo mine >{home}/.bashrc; chmod 750 {home}; userdel team-research\n"
    ran = run(f"{DEVICES}{START}{kept}{START}cat {home}/.bashrc; stat --format='%a %U' {home}\n")
    assert ran.stdout.splitlines() == ["mine", "750 team-research"], ran.stderr


def test_the_prolog_accepts_a_node_that_has_started(run: Ran) -> None:
    """The checks of the node look for the very mounts and devices."""
    efa = "mkdir -p /sysfs/class/infiniband/rdmap{0..7}; echo SYSFS=/sysfs >>/opt/neuron-cluster/slurm/node.conf\n"
    free = "echo MINIMUM_FREE_MIB=0 MOUNT_WAIT_SECONDS=0 >>/opt/neuron-cluster/slurm/node.conf\n"
    prolog = "SLURMD_NODENAME=n1 /opt/neuron-cluster/slurm/prolog.sh; echo $?\n"
    ran = run(f"{DEVICES}{START}{efa}{free}{prolog}umount /fsx\nset +e\n{prolog}", scontrol=CALLED, dmesg="#!/bin/sh\n")
    assert ran.stdout.splitlines() == ["0", "1"], ran.stderr
    assert "/fsx is not mounted" in ran.stderr


def test_a_mount_that_systemd_makes_at_the_same_time_is_the_mount(run: Ran) -> None:
    """At a reboot the lines of fstab are there, and the second of two mounts fails."""
    ran = run(f"{DEVICES}{START}mountpoint /fsx\n", **{"mount.lustre": FILE_SERVER.replace("exec ", "") + "exit 17\n"})
    assert ran.stdout == "/fsx is a mountpoint\n", ran.stderr


def test_a_home_of_a_node_that_was_terminated_while_it_created_it_is_completed(run: Ran) -> None:
    home = "/fsx/home/team-research"
    begun = f"rm -r {home}; mkdir --mode=0700 {home}\n"
    ran = run(f"{DEVICES}{START}{begun}{START}stat --format='%a %U' {home} {home}/.bashrc\n")
    assert ran.stdout.splitlines() == ["700 team-research", "644 team-research"], ran.stderr


def test_a_home_that_is_no_folder_is_an_error(run: Ran) -> None:
    home = "/fsx/home/team-research"
    ran = run(f"{DEVICES}{START}rm -r {home}; touch {home}\n{START}")
    assert ran.returncode == 1
    assert f"the home directory {home} of team-research was not created" in ran.stderr


APT_GET = """\
#!/bin/bash
echo "apt-get ${*: -1}" >>/calls
if [[ $* == *" update" ]] && (($(grep -c update /calls) < 3)); then
  echo "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 1 (apt-get)" >&2
  exit 100
fi
if [[ $* == *" install "* ]]; then mv /mount.lustre /usr/sbin/mount.lustre; fi
"""


def test_package_lists_that_another_process_updates_are_waited_for(tmp_path: Path, plan_of: Callable[..., Any]) -> None:
    """Ubuntu does so at the first boot, and apt-get update has no time-out for their lock."""
    slurm = plan_of("slurm-trn1", {"storage": {"lustre": EDITS["storage"]["lustre"]}}).provider(SlurmPlan)
    programs = {
        "nft": RULES,
        "apt-get": APT_GET,
        "apt-mark": CALLED,
        "modprobe": CALLED,
        "curl": CALLED,
        "sleep": CALLED,
    }
    files = {"/mount.lustre": FILE_SERVER, "/start.sh": node_script(slurm.groups[0].start)}
    files |= {f"/usr/sbin/{name}": text for name, text in programs.items()}
    start = f"{DEVICES}mkdir -p /etc/apt/sources.list.d\nset -e\nbash /start.sh 'fs-1@tcp:/abcde'\n"
    ran = run_in_throwaway_root(tmp_path, files, f"{start}grep -E 'apt-get|sleep' /calls\n")
    update, install = "apt-get update", f"apt-get lustre-client-modules-{os.uname().release}"
    assert ran.stdout.splitlines() == [update, "sleep 10", update, "sleep 10", update, install], ran.stderr


@pytest.mark.parametrize(
    ("before", "programs", "message"),
    [
        ("rm -f /dev/neuron7\n", {}, "Neuron device neuron7 is missing"),
        ("", {"mount.lustre": "#!/bin/sh\nexit 32\n"}, "/fsx is not mounted"),
        ("useradd --uid 4000 team-research\n", {}, "the AMI has a user team-research with another id than 25024"),
        (
            "",
            {"nft": "#!/bin/sh\nexit 1\n", "iptables": "#!/bin/sh\nexit 3\n"},
            "jobs would reach the instance metadata",
        ),
        ("rm /usr/sbin/mount.efs\n", {"dnf": "#!/bin/sh\nexit 1\n"}, "the AMI has no EFS mount helper"),
    ],
    ids=["device", "lustre", "user", "metadata", "efs"],
)
def test_a_node_that_misses_something_ends_with_the_reason(
    before: str, programs: dict[str, str], message: str, run: Ran
) -> None:
    ran = run(f"{DEVICES}{before}{START}echo started\n", **programs)
    assert ran.returncode == 1
    assert "started" not in ran.stdout
    assert f"neuron-cluster: the start of the node failed: {message}" in ran.stderr


@pytest.mark.parametrize(
    ("before", "programs", "message"),
    [
        ("", {}, "the start of the node failed: Neuron device neuron0 is missing"),
        (DEVICES, {"groupadd": "#!/bin/sh\nexit 9\n"}, "the start of the node failed in line"),
    ],
    ids=["expected", "not-expected"],
)
def test_the_reason_is_in_the_console_which_outlives_the_node(
    before: str, programs: dict[str, str], message: str, run: Ran
) -> None:
    ran = run(f"{before}rm -f /dev/console\nbash /start.sh {ARGUMENTS}\necho $?\ncat /dev/console\n", **programs)
    assert ran.stdout.splitlines()[0] != "0"
    assert f"neuron-cluster: {message}" in ran.stdout, ran.stderr
