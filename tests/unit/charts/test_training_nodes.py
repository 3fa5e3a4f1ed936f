"""How the nodes of a neuron-training job stop, fail and restart together."""

import shutil
import signal
import subprocess
from pathlib import Path

import pytest
from training import DRAINED_WHILE_JOINING, ENDS, await_ready, run_alone, start

from tests.every_run import in_every_run

FRONT_ENDS = pytest.mark.parametrize(
    ("front_end", "ranks_of_node"), in_every_run([("jax", 1), ("nxd", 2)], always=[("nxd", 2)])
)


@pytest.mark.slow
@FRONT_ENDS
def test_a_drain_of_one_node_makes_every_rank_save_and_asks_for_a_restart(
    tmp_path: Path, nodes: list[subprocess.Popen[str]], front_end: str, ranks_of_node: int
) -> None:
    nodes += start(tmp_path, front_end)
    for node in nodes:
        await_ready(node, ranks_of_node)
    nodes[0].send_signal(signal.SIGTERM)
    assert [node.wait(timeout=30) for node in nodes] == [75, 75]
    assert len(list((tmp_path / "saved").iterdir())) == 2 * ranks_of_node


@pytest.mark.slow
def test_a_drain_saves_although_the_volume_of_the_notes_is_gone(
    tmp_path: Path, nodes: list[subprocess.Popen[str]]
) -> None:
    """Full, stale or remounted: an error in the signal handler left the ranks without a signal until SIGKILL."""
    nodes += start(tmp_path, "jax")
    for node in nodes:
        await_ready(node, 1)
    shutil.rmtree(tmp_path / "stop")
    (tmp_path / "stop").touch()
    nodes[0].send_signal(signal.SIGTERM)
    assert nodes[0].wait(timeout=30) == 75
    assert len(list((tmp_path / "saved").iterdir())) == 1


COMPILES = """
import pathlib, subprocess, sys
code = "import pathlib, signal, sys\\n"
code += "signal.signal(signal.SIGTERM, lambda *_: (pathlib.Path('ended').touch(), sys.exit()))\\n"
code += "print('ready', flush=True)\\nsignal.pause()"
subprocess.run([sys.executable, "-c", code, "model.MODULE_12+3f.hlo_module.pb"])
"""


@pytest.mark.slow
def test_a_drain_during_a_compilation_ends_the_compiler_and_frees_its_graph(
    tmp_path: Path, nodes: list[subprocess.Popen[str]]
) -> None:
    """The rank has no handler of the signal yet, and leaves its compiler behind."""
    lock = tmp_path / "cache" / "neuronxcc-2" / "MODULE_12+3f" / "model.hlo_module.pb.lock"
    lock.parent.mkdir(parents=True)
    lock.touch()
    nodes += start(
        tmp_path, "jax", count=1, program=COMPILES, TRAINING_NODES="1", TRAINING_CACHE_FOLDER=str(tmp_path / "cache")
    )
    await_ready(nodes[0], 1)
    nodes[0].send_signal(signal.SIGTERM)
    assert nodes[0].wait(timeout=30) == 75
    assert (tmp_path / "ended").exists()
    assert not lock.exists()


@pytest.mark.slow
@FRONT_ENDS
def test_a_failure_of_one_node_ends_the_others_without_a_save(
    tmp_path: Path, nodes: list[subprocess.Popen[str]], front_end: str, ranks_of_node: int
) -> None:
    nodes += start(tmp_path, front_end, BREAKS="1")
    for node in nodes:  # a note that is there before a node starts is an earlier attempt's
        await_ready(node, ranks_of_node)
    (tmp_path / "break").touch()
    assert [node.wait(timeout=30) for node in nodes] == [1, 1]
    assert list((tmp_path / "saved").iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize(("rank", "codes"), [("JOB_COMPLETION_INDEX", [76, 76]), ("OMPI_COMM_WORLD_RANK", [1, 1])])
def test_a_failed_neuron_device_is_no_failure_of_the_program(
    tmp_path: Path, nodes: list[subprocess.Popen[str]], rank: str, codes: list[int]
) -> None:
    """On no node: also the peers, whose ranks fail with it, end so that the restart does not count."""
    counter = tmp_path / "neuron3" / "stats" / "hardware" / "sram_ecc_uncorrected"
    counter.parent.mkdir(parents=True)
    counter.write_text("0")
    nodes += start(tmp_path, "jax", rank, BREAKS="1", COUNTER=str(counter))
    for node in nodes:
        await_ready(node, 1)
    (tmp_path / "break").touch()
    assert [node.wait(timeout=30) for node in nodes] == codes
    assert {note.suffix for note in (tmp_path / "stop").iterdir()} >= {".lost"}, "for the launcher of mpirun"


@pytest.mark.slow
def test_a_node_without_a_sign_of_life_is_lost(tmp_path: Path, nodes: list[subprocess.Popen[str]]) -> None:
    nodes += start(tmp_path, "jax", TRAINING_SILENT_SECONDS="3")
    for node in nodes:
        await_ready(node, 1)
    nodes[1].send_signal(signal.SIGSTOP)
    assert nodes[0].wait(timeout=30) == 76
    assert list((tmp_path / "saved").iterdir()) == [], "a rank that waits for a lost one saves no checkpoint"


@pytest.mark.slow
@pytest.mark.parametrize("others", [1, 2], ids=["the first pod", "a further pod"])
def test_a_drain_ends_a_pod_that_waits_for_late_ones(
    tmp_path: Path, nodes: list[subprocess.Popen[str]], others: int
) -> None:
    """The ranks do not start before all pods are there: they would give up sooner than an image is loaded."""
    nodes += start(tmp_path, "jax", count=others, TRAINING_NODES="3", TRAINING_START_TIMEOUT_SECONDS="600")
    for node in nodes:
        assert node.stdout
        assert "waits for the others" in node.stdout.readline()
    nodes[-1].send_signal(signal.SIGTERM)
    assert [node.wait(timeout=30) for node in nodes] == [75] * others
    assert [node.stdout.read() for node in nodes if node.stdout] == [""] * others


def test_a_drain_before_the_others_are_found_asks_for_a_restart_too(tmp_path: Path) -> None:
    ended = run_alone(tmp_path, DRAINED_WHILE_JOINING, TRAINING_START_TIMEOUT_SECONDS="0")
    assert ended.returncode == 75, ended.stderr
    assert {note.suffix for note in (tmp_path / "stop").iterdir()} >= {".save"}


@pytest.mark.slow
def test_a_restart_finds_no_failed_graphs_in_the_cache(tmp_path: Path) -> None:
    log = tmp_path / "cache" / "neuronxcc-2" / "MODULE_1" / "model.log"
    log.parent.mkdir(parents=True)
    log.touch()
    options = {"TRAINING_CACHE_FOLDER": str(tmp_path / "cache"), "TRAINING_NODES": "1"}
    run_alone(tmp_path, ENDS, **options)
    assert log.exists(), "a first start fails early for a graph that cannot be compiled"
    run_alone(tmp_path, ENDS, **options, TRAINING_RESTARTS="1")
    assert not log.exists()


@pytest.mark.slow
def test_a_job_that_restarts_without_a_newer_checkpoint_ends(tmp_path: Path) -> None:
    """An eviction for a full disk, again and again: the JobSet does not count such restarts."""
    checkpoints = {"TRAINING_RUN": "uid", "CHECKPOINT_DIRECTORY": str(tmp_path / "none"), "TRAINING_NODES": "1"}
    first = [run_alone(tmp_path, ENDS, **checkpoints) for _ in range(4)]
    assert [each.returncode for each in first] == [0] * 4, first[-1].stderr
    last = run_alone(tmp_path, ENDS, **checkpoints)
    assert last.returncode == 1
    assert "although the job restarted 4 times" in last.stderr
