"""Files of Slurm that the program of a HyperPod controller writes; tests/system runs it under slurmctld."""

from __future__ import annotations

import importlib.util
import json
import os
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.toolkit_files import PACKAGE

PROGRAM = PACKAGE / "providers" / "hyperpod" / "node_start" / "slurm_settings.py"
OF_HYPERPOD = """\
ClusterName=slurm-cluster
SlurmctldHost=ip-10-1-0-5(10.1.0.5)
PrologFlags=Contain
SchedulerParameters=permit_job_expansion,bf_continue
NodeName=ip-10-1-0-[10-11] NodeAddr=10.1.0.[10-11] CPUs=128 State=UNKNOWN
NodeName=ip-10-1-0-12 CPUs=192 State=UNKNOWN
PartitionName=dev Nodes=ALL Default=YES State=UP
# a comment of an administrator
"""
SETTINGS = {
    "GresTypes": "gpu",
    "PrologFlags": "Alloc",
    "Prolog": "/opt/prolog.sh",
    "SchedulerParameters": "a,bf_continue",
}
TRN1, TRN1N = "gpu:trainium:16", "gpu:trainium2:16"


def load() -> Any:
    spec = importlib.util.spec_from_file_location("slurm_settings", PROGRAM)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


program = load()


def shown(**gres: str) -> str:
    """The output of `scontrol --oneliner show node`; names have underscores for hyphens."""
    lines = []
    for name, value in gres.items():
        comment = f"Comment=neuron-cluster:{value} " if value else ""
        lines.append(f"NodeName={name.replace('_', '-')} Arch=x86_64 Gres=(null) State=IDLE {comment}Extra=(null)")
    return "\n".join(lines) + "\n"


class Controller:
    """A folder of Slurm, and a scontrol that prints a file and counts how often Slurm is to read its files."""

    def __init__(self, folder: Path) -> None:
        self.conf, self.gres = folder / "slurm.conf", folder / "gres.conf"
        self._nodes, self._read, self._fails = folder / "nodes", folder / "read", folder / "fails"
        self.conf.write_text(OF_HYPERPOD, encoding="utf-8")
        self.announce()
        self._given = folder / "given.json"
        given = {
            "folder": str(folder),
            "settings": SETTINGS,
            "devices": "/dev/neuron",
            "show_nodes": ["cat", str(self._nodes)],
            "reconfigure": ["sh", "-c", f"[ ! -e {self._fails} ] && echo >>{self._read}"],
        }
        self._given.write_text(json.dumps(given), encoding="utf-8")

    def announce(self, **gres: str) -> None:
        self._nodes.write_text(shown(**gres), encoding="utf-8")

    def fail(self, does: bool) -> None:
        """Whether Slurm reads no files."""
        if does:
            self._fails.touch()
        else:
            self._fails.unlink()

    def run(self) -> None:
        program.main(self._given)

    @property
    def reads(self) -> int:
        return len(self._read.read_text().splitlines()) if self._read.exists() else 0

    def line(self, start: str) -> str:
        (found,) = (each for each in self.conf.read_text().splitlines() if each.startswith(start))
        return found


@pytest.fixture
def controller(tmp_path: Path) -> Controller:
    return Controller(tmp_path)


def test_settings_are_added_after_what_hyperpod_has_written(controller: Controller) -> None:
    controller.run()
    text = controller.conf.read_text()
    assert text.startswith(OF_HYPERPOD)
    added = text.removeprefix(OF_HYPERPOD).split("\n")
    assert added[1] == program.BEGIN
    assert {"GresTypes=gpu", "Prolog=/opt/prolog.sh"} <= set(added)
    assert not controller.gres.exists(), "no node has announced devices"
    assert controller.reads == 1


def test_lists_have_what_the_file_has_already(controller: Controller) -> None:
    """Slurm takes the last value of a name, and HyperPod needs its own."""
    controller.run()
    last = controller.conf.read_text().partition(program.BEGIN)[2].splitlines()
    assert "PrologFlags=Contain,Alloc" in last
    assert "SchedulerParameters=permit_job_expansion,bf_continue,a" in last


@pytest.mark.parametrize("line", ["PrologFlags = Contain", "prologflags=Contain", "  PrologFlags=Contain"])
def test_a_list_is_found_however_slurm_lets_it_be_written(controller: Controller, line: str) -> None:
    controller.conf.write_text(OF_HYPERPOD.replace("PrologFlags=Contain", line))
    controller.run()
    assert "\nPrologFlags=Contain,Alloc\n" in controller.conf.read_text()


def test_a_commented_list_counts_for_nothing(controller: Controller) -> None:
    controller.conf.write_text(OF_HYPERPOD.replace("PrologFlags=Contain", "#PrologFlags=Contain"))
    controller.run()
    assert "\nPrologFlags=Alloc\n" in controller.conf.read_text()


def test_nodes_that_have_announced_devices_have_them_in_both_files(controller: Controller) -> None:
    controller.announce(ip_10_1_0_10=TRN1, ip_10_1_0_11=TRN1, ip_10_1_0_12="")
    controller.run()
    assert controller.line("NodeName=ip-10-1-0-[10-11]") == (
        f"NodeName=ip-10-1-0-[10-11] NodeAddr=10.1.0.[10-11] CPUs=128 State=UNKNOWN Gres={TRN1}"
    )
    assert controller.line("NodeName=ip-10-1-0-12") == "NodeName=ip-10-1-0-12 CPUs=192 State=UNKNOWN"
    record = (
        "NodeName=ip-10-1-0-10,ip-10-1-0-11 Name=gpu Type=trainium Count=16 File=/dev/neuron[0-15] Flags=no_gpu_env"
    )
    assert record in controller.gres.read_text().splitlines()


def test_each_chip_has_a_record_of_its_own(controller: Controller) -> None:
    controller.announce(ip_10_1_0_10=TRN1, ip_10_1_0_11=TRN1, ip_10_1_0_12="gpu:trainium2:1")
    controller.run()
    records = [line for line in controller.gres.read_text().splitlines() if line.startswith("NodeName=")]
    assert [line.partition(" Name=gpu ")[2] for line in records] == [
        "Type=trainium2 Count=1 File=/dev/neuron0 Flags=no_gpu_env",
        "Type=trainium Count=16 File=/dev/neuron[0-15] Flags=no_gpu_env",
    ]
    assert controller.line("NodeName=ip-10-1-0-12").endswith(" Gres=gpu:trainium2:1")


def test_a_second_run_writes_nothing(controller: Controller) -> None:
    controller.announce(ip_10_1_0_10=TRN1, ip_10_1_0_11=TRN1)
    controller.run()
    before = [(file.read_text(), file.stat().st_ino) for file in (controller.conf, controller.gres)]
    controller.run()
    assert [(file.read_text(), file.stat().st_ino) for file in (controller.conf, controller.gres)] == before
    assert controller.reads == 1


def test_what_hyperpod_writes_later_is_kept_and_devices_come_back(controller: Controller) -> None:
    """It writes the lines of nodes again, here below those of the toolkit, and without devices."""
    controller.announce(ip_10_1_0_10=TRN1, ip_10_1_0_11=TRN1, ip_10_1_0_13=TRN1)
    controller.run()
    kept = controller.conf.read_text().replace(f" Gres={TRN1}", "")
    controller.conf.write_text(kept + "NodeName=ip-10-1-0-13 CPUs=128\nPartitionName=training Nodes=ip-10-1-0-13\n")
    controller.run()
    text = controller.conf.read_text()
    assert controller.line("NodeName=ip-10-1-0-13") == f"NodeName=ip-10-1-0-13 CPUs=128 Gres={TRN1}"
    assert controller.line("NodeName=ip-10-1-0-[10-11]").endswith(f" Gres={TRN1}")
    assert controller.line("PartitionName=training") == "PartitionName=training Nodes=ip-10-1-0-13"
    assert text.index("PartitionName=training") < text.index(program.BEGIN), "settings of the toolkit count"
    assert (text.count(program.BEGIN), controller.reads) == (1, 2)


def test_a_node_that_changes_its_type_changes_its_devices(controller: Controller) -> None:
    controller.announce(ip_10_1_0_12=TRN1)
    controller.run()
    controller.announce(ip_10_1_0_12=TRN1N)
    controller.run()
    assert controller.line("NodeName=ip-10-1-0-12") == f"NodeName=ip-10-1-0-12 CPUs=192 State=UNKNOWN Gres={TRN1N}"
    assert "Type=trainium Count" not in controller.gres.read_text()


def test_a_node_with_the_name_of_a_former_one_has_not_its_devices(controller: Controller) -> None:
    """HyperPod names nodes by their addresses, and slurmctld drains one with fewer devices than its line has."""
    controller.announce(ip_10_1_0_12=TRN1)
    controller.run()
    controller.announce(ip_10_1_0_12="none")
    controller.run()
    assert controller.line("NodeName=ip-10-1-0-12") == "NodeName=ip-10-1-0-12 CPUs=192 State=UNKNOWN"
    assert "NodeName" not in controller.gres.read_text()


def test_slurm_reads_its_files_however_often_it_fails_before(controller: Controller) -> None:
    controller.fail(True)
    with pytest.raises(subprocess.CalledProcessError):
        controller.run()
    controller.fail(False)
    controller.run()
    assert controller.reads == 1
    controller.run()
    assert controller.reads == 1, "once it has read them, it does not do so again"


def test_a_line_of_nodes_that_differ_stays_as_it_is(controller: Controller) -> None:
    controller.announce(ip_10_1_0_10=TRN1, ip_10_1_0_11="")
    controller.run()
    assert controller.line("NodeName=ip-10-1-0-[10-11]") in OF_HYPERPOD


def test_records_of_others_in_gres_conf_stay(controller: Controller) -> None:
    controller.gres.write_text("NodeName=gpu-1 Name=gpu File=/dev/nvidia0\n")
    controller.announce(ip_10_1_0_12=TRN1)
    controller.run()
    assert controller.gres.read_text().startswith("NodeName=gpu-1 Name=gpu File=/dev/nvidia0\n")
    controller.announce()
    controller.run()
    assert controller.gres.read_text() == "NodeName=gpu-1 Name=gpu File=/dev/nvidia0\n"


def test_a_file_keeps_mode_and_owner_and_leaves_no_other_one(controller: Controller, tmp_path: Path) -> None:
    controller.conf.chmod(0o640)
    if os.geteuid() == 0:
        os.chown(controller.conf, 64_030, 64_031)
    before = controller.conf.stat()
    controller.run()
    after = controller.conf.stat()
    assert after.st_ino != before.st_ino, "no program reads a part of it"
    assert (stat.S_IMODE(after.st_mode), after.st_uid, after.st_gid) == (0o640, before.st_uid, before.st_gid)
    assert [path for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_without_an_answer_of_slurm_nothing_is_written(controller: Controller) -> None:
    controller._nodes.unlink()
    with pytest.raises(subprocess.CalledProcessError):
        controller.run()
    assert controller.conf.read_text() == OF_HYPERPOD


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ("ip-10-1-0-1", ["ip-10-1-0-1"]),
        ("ip-10-1-0-[3-5,9]", ["ip-10-1-0-3", "ip-10-1-0-4", "ip-10-1-0-5", "ip-10-1-0-9"]),
        ("n[08-11]", ["n08", "n09", "n10", "n11"]),
        ("a[1-2],b,c[7]", ["a1", "a2", "b", "c7"]),
        ("DEFAULT", ["DEFAULT"]),
    ],
)
def test_a_list_of_hosts_names_its_nodes(names: str, expected: list[str]) -> None:
    assert program.expanded(names) == expected


@pytest.mark.parametrize(
    "comment",
    ["(null)", "administrator", "neuron-cluster:", "neuron-cluster:gpu:trainium", "neuron-cluster:gpu:trainium:x"],
)
def test_another_comment_announces_nothing(comment: str) -> None:
    assert program.announced(f"NodeName=n1 State=IDLE Comment={comment} Extra=(null)\n") == {}
