"""The launcher in a SageMaker training job: place among the hosts, failure, a checkpoint folder of each node."""

from __future__ import annotations

import json
import socket
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from checkpoint_manifest import MANIFEST, Manifest, part_name, read_manifest, size_faults, sizes_of, write_manifest
from job import Job, read_job
from manifest_writer import ManifestWriter, NodesManifestWriter
from node_folders import OtherFolder, OtherNodes
from on_sagemaker import LONGEST_REASON, expanded, failure_of, variables
from resume import settle
from training import ENVIRONMENT, run_alone

RESOURCES = {"current_host": "algo-10", "hosts": ["algo-2", "algo-10", "algo-1"], "network_interface_name": "eth1"}
OWN, OTHER = "algo-1", "algo-2"


def never_stops() -> None:
    """No stop was heard."""


def save(folder: Path, step: int, files: Mapping[str, int], *, mark: bool = False) -> Path:
    """Writes one node's files of a checkpoint, with these sizes."""
    target = folder / f"step-{step}"
    target.mkdir(parents=True)
    for name, size in files.items():
        (target / name).write_bytes(b"x" * size)
    if mark:
        (target / "done").touch()
    return target


def manifest_in(path: Path) -> Manifest:
    return read_manifest((path / MANIFEST).read_text())


def copied(*folders: Path, to: Path) -> Path:
    """The S3 prefix of nodes that have these folders."""
    for folder in folders:
        for file in folder.rglob("*"):
            if file.is_file():
                target = to / file.relative_to(folder)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(file.read_bytes())
    return to


class Nodes:
    """Two nodes: the first one asks, the other one answers at a port of this machine."""

    def __init__(self, folder: Path) -> None:
        self.own, self.other = folder / OWN, folder / OTHER
        with socket.create_server(("", 0)) as door:
            port = str(door.getsockname()[1])
        self.environment = ENVIRONMENT | {
            "TRAINING_TOPOLOGY_PORT": port,
            "TRAINING_FOLDER_PER_NODE": "true",
            "TRAINING_WITHOUT_MANIFEST": "reject",
            "CHECKPOINT_DIRECTORY": str(self.own),
            "HOSTNAME": OWN,
        }
        self.job = read_job(self.environment)
        self.asked = OtherNodes(self.job, self.own, ["localhost"])

    def open_other(self, **changes: object) -> None:
        answering: Job = replace(self.job, node_rank=1, checkpoint_folder=self.other, pod=OTHER, **changes)  # type: ignore[arg-type]
        OtherFolder(answering, self.other).open()

    def writer(self) -> NodesManifestWriter:
        return NodesManifestWriter(self.own, {"nodes": 2}, "2.32.0", checksums=False, node=OWN, others=self.asked)


@pytest.fixture
def nodes(tmp_path: Path) -> Nodes:
    return Nodes(tmp_path)


@pytest.fixture
def answering(nodes: Nodes) -> Nodes:
    nodes.open_other()
    return nodes


def test_a_node_is_placed_by_the_sorted_hosts_and_led_by_the_first() -> None:
    found = variables(RESOURCES, {"TRAINING_JOB_ARN": "arn:a"})
    assert (found["JOB_COMPLETION_INDEX"], found["TRAINING_NODES"], found["TRAINING_MASTER_HOST"]) == ("1", "3", OWN)
    assert (found["HOSTNAME"], found["TRAINING_RUN"], found["CCOM_SOCKET_IFNAME"]) == ("algo-10", "arn:a", "eth1")
    job = read_job({key: text for key, text in ENVIRONMENT.items() if key not in found} | found)
    assert (job.node_rank, job.nodes, job.folder_per_node) == (1, 3, False)


def test_an_interface_of_the_request_is_kept() -> None:
    assert "CCOM_SOCKET_IFNAME" not in variables(RESOURCES, {"CCOM_SOCKET_IFNAME": "eth0"})


def test_variables_in_arguments_are_filled_in_as_kubernetes_does() -> None:
    assert expanded("--dump=$(A)/x,$$(A),$(B)", {"A": "/a"}) == "--dump=/a/x,$(A),$(B)"


def test_a_failure_names_node_and_code_and_ends_with_the_last_lines() -> None:
    text = failure_of(1, OTHER, "\n".join(f"line {number}" for number in range(1000)))
    assert len(text) == LONGEST_REASON
    assert text.startswith("the training failed here (node algo-2, exit code 1)")
    assert text.endswith("line 999")


RUN = """
import sys, pathlib, launch, on_sagemaker
launch.POLL_SECONDS = 0.05
sys.argv[1:] = ["-c", {program!r}]
sys.exit(on_sagemaker.main(pathlib.Path("ml"), pathlib.Path("programs")))
"""
FAILS = """
import os, sys
print("no dataset at", os.environ["WHERE"], file=sys.stderr)
sys.exit(3)
"""


def run_container(folder: Path, program: str, **environment: str) -> tuple[int, str]:
    """Exit code of a job of one node, and its failure file; "" without one."""
    configuration = folder / "ml/input/config/resourceconfig.json"
    configuration.parent.mkdir(parents=True)
    configuration.write_text(json.dumps({"current_host": "localhost", "hosts": ["localhost"]}))
    ended = run_alone(folder, RUN.format(program=program), TRAINING_STOP_FOLDER="", **environment)
    failure = folder / "ml/output/failure"
    return ended.returncode, failure.read_text() if failure.is_file() else ""


@pytest.mark.slow
def test_what_a_failed_trainer_said_is_the_reason_of_the_job(tmp_path: Path) -> None:
    code, failure = run_container(tmp_path, FAILS, WHERE="/data")
    assert code == 1
    assert "node localhost, exit code 1" in failure
    assert failure.endswith("no dataset at /data")


@pytest.mark.slow
def test_a_job_that_trains_to_the_end_has_no_failure_and_the_modules_of_the_chart(tmp_path: Path) -> None:
    program = "import sys; sys.path.append('programs'); import checkpoint_manifest"
    assert run_container(tmp_path, program) == (0, "")
    assert (tmp_path / "programs/checkpoint_manifest.py").is_file()


@pytest.mark.slow
def test_a_variable_that_is_missing_is_the_reason_of_the_job(tmp_path: Path) -> None:
    code, failure = run_container(tmp_path, "", TRAINING_FRONT_END="mxnet")
    assert code == 1
    assert failure.endswith("neuron-training: ValueError(\"'mxnet' is not a valid FrontEnd\")")


def test_one_node_alone_has_all_files() -> None:
    variables = {"TRAINING_FOLDER_PER_NODE": "true", "CHECKPOINT_DIRECTORY": "/c"}
    assert read_job(ENVIRONMENT | variables).folder_per_node
    assert not read_job(ENVIRONMENT | variables | {"TRAINING_NODES": "1"}).folder_per_node


def test_a_manifest_lists_the_files_of_all_nodes(answering: Nodes, tmp_path: Path) -> None:
    writer = answering.writer()
    own = save(answering.own, 10, {"rank-0": 3}, mark=True)
    save(answering.other, 10, {"rank-1": 5})
    writer.write_missing()
    assert [(file.path, file.size) for file in manifest_in(own).files] == [("done", 0), ("rank-0", 3), ("rank-1", 5)]
    assert manifest_in(own).parallelism == {"nodes": 2}
    prefix = copied(answering.own, answering.other, to=tmp_path / "s3")
    assert settle(prefix, answering.job.checkpoints) == "step-10", "on a volume that nodes share, too"
    (prefix / "step-10/rank-1").unlink()
    assert settle(prefix, answering.job.checkpoints) == "", "a node was lost before its file had reached S3"


def test_what_a_trainer_writes_is_a_part_until_all_nodes_have_told(
    answering: Nodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = answering.writer()
    own = save(answering.own, 10, {"rank-0": 3})
    save(answering.other, 10, {"rank-1": 5})
    with monkeypatch.context() as trainer:
        trainer.setenv("CHECKPOINT_NODE", OWN)
        write_manifest(own, 10, parallelism={"ranks": 2}, checksums=True)
    assert {path.name for path in own.iterdir()} == {"rank-0", part_name(OWN)}
    writer.write_missing()
    assert {path.name for path in own.iterdir()} == {"rank-0", MANIFEST}
    made = manifest_in(own)
    assert (made.parallelism, made.has_checksums, len(made.files)) == ({"ranks": 2}, True, 2)


@pytest.mark.parametrize("without", ["untilFirst", "reject"])
def test_a_checkpoint_of_which_only_a_part_was_told_is_not_loaded(
    nodes: Nodes, monkeypatch: pytest.MonkeyPatch, without: str
) -> None:
    job = read_job(nodes.environment | {"TRAINING_WITHOUT_MANIFEST": without})
    own = save(nodes.own, 10, {"rank-0": 3}, mark=True)
    monkeypatch.setenv("CHECKPOINT_NODE", OWN)
    write_manifest(own, 10, parallelism={"ranks": 2})
    assert settle(nodes.own, job.checkpoints) == ""
    assert not own.exists()


def test_without_an_answer_of_a_node_there_is_no_manifest(nodes: Nodes) -> None:
    writer = nodes.writer()
    own = save(nodes.own, 10, {"rank-0": 3}, mark=True)
    with pytest.raises(ConnectionRefusedError):
        writer.write_missing()
    assert not (own / MANIFEST).exists()
    nodes.open_other()
    writer.write_missing()
    assert (own / MANIFEST).exists()


def test_nodes_that_write_one_file_differently_make_no_checkpoint(answering: Nodes) -> None:
    writer = answering.writer()
    own = save(answering.own, 10, {"config": 3}, mark=True)
    save(answering.other, 10, {"config": 4})
    with pytest.raises(OSError, match="two nodes have written config"):
        writer.write_missing()
    assert not (own / MANIFEST).exists()


def test_a_mark_that_came_from_s3_makes_no_manifest(answering: Nodes) -> None:
    own = save(answering.own, 10, {"rank-0": 3}, mark=True)
    answering.writer().write_missing()
    assert not (own / MANIFEST).exists()
    ManifestWriter(answering.own, {}, "", checksums=False).write_missing()
    assert (own / MANIFEST).exists(), "where nodes share the folder, nothing of a marked checkpoint is missing"


def test_a_checkpoint_that_the_trainer_of_the_first_node_deletes_is_deleted_on_all(answering: Nodes) -> None:
    writer = answering.writer()
    for step in (10, 20):
        save(answering.own, step, {"rank-0": 3}, mark=True)
        save(answering.other, step, {"rank-1": 3})
    writer.write_missing()
    for file in (answering.own / "step-10").iterdir():
        file.unlink()
    (answering.own / "step-10").rmdir()
    writer.write_missing()
    assert [path.name for path in answering.other.iterdir()] == ["step-20"]


def complete(folder: Path, step: int) -> None:
    write_manifest(save(folder, step, {"rank-0": 3, "rank-1": 5}), step, parallelism={"ranks": 2})


def test_all_nodes_load_the_newest_checkpoint_that_all_of_them_have(answering: Nodes) -> None:
    for folder in (answering.own, answering.other):
        for step in (10, 20, 30):
            complete(folder, step)
    (answering.other / "step-20/rank-1").write_bytes(b"cut")
    (answering.own / "step-30/rank-0").unlink()
    assert answering.asked.settle(never_stops) == "step-10"
    for folder in (answering.own, answering.other):
        assert sorted(path.name for path in folder.glob("step-*")) == ["step-10"]


def test_what_is_set_aside_is_kept_once(answering: Nodes) -> None:
    """Each copy goes back to S3, and comes from there at every start."""
    for folder in (answering.own, answering.other):
        save(folder, 10, {"rank-1": 5})
    save(answering.other, 20, {"rank-1": 5})
    assert answering.asked.settle(never_stops) == ""
    kept = [
        [path.name[:7] for path in (folder / "_incomplete").iterdir()] for folder in (answering.own, answering.other)
    ]
    assert kept == [["step-10"], ["step-20"]], "the second is on one node alone"


def test_a_checkpoint_of_a_shared_folder_is_loaded(answering: Nodes, tmp_path: Path) -> None:
    complete(tmp_path / "shared", 40)
    for folder in (answering.own, answering.other):
        copied(tmp_path / "shared", to=folder)
    assert answering.asked.settle(never_stops) == "step-40"
    path = answering.other / "step-40"
    assert size_faults(manifest_in(path), sizes_of(path)) == []


def test_a_stranger_gets_no_answer(nodes: Nodes) -> None:
    nodes.open_other(master_host="elsewhere.invalid")
    save(nodes.other, 10, {"rank-1": 5})
    with pytest.raises(OSError):
        nodes.asked.files("step-10", checksums=False)


@pytest.mark.parametrize("name", ["../algo-1", "", "a//b", "."])
def test_nothing_above_the_folder_is_listed_or_deleted(answering: Nodes, name: str) -> None:
    complete(answering.own, 10)
    with pytest.raises(OSError, match="is not a checkpoint"):
        answering.asked.delete(name)
    assert (answering.own / "step-10/rank-0").exists()
