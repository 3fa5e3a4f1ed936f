"""The programs of charts/neuron-training: a node's part, how the nodes stop together, places in UltraServers."""

import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

FILES = Path(__file__).parents[3] / "charts" / "neuron-training" / "files"
sys.path.insert(0, str(FILES))

import launch
import mpi
import ranks
import ultraserver
from job import FrontEnd, Job, node_rank, read_job
from notes import Note, NoteFolder
from rendezvous import Place
from ultraserver import WrongPlacement

ENVIRONMENT = {
    "TRAINING_FRONT_END": "jax",
    "TRAINING_NODES": "2",
    "TRAINING_NODES_PER_JOB": "2",
    "TRAINING_CORES": "64",
    "TRAINING_MASTER_HOST": "localhost",
    "TRAINING_MASTER_PORT": "29500",
    "TRAINING_ROOT_COMMUNICATION_PORT": "63182",
    "TRAINING_TOPOLOGY_PORT": "29501",
    "TRAINING_ULTRASERVER_SIZE": "0",
    "TRAINING_START_TIMEOUT_SECONDS": "20",
    "TRAINING_GRACE_SECONDS": "20",
    "TRAINING_SILENT_SECONDS": "300",
    "TRAINING_RESTARTS": "0",
    "TRAINING_CACHE_FOLDER": "",
    "TRAINING_RETRY_FAILED_GRAPHS": "true",
    "TRAINING_STALE_LOCK_MINUTES": "180",
    "TRAINING_MAX_LOSSES": "2",
    "TRAINING_MAX_WITHOUT_CHECKPOINT": "3",
    "TRAINING_STOP_SIGNAL": "SIGTERM",
    "TRAINING_STOP_FOLDER": "",
    "TRAINING_JOB_INDEX": "0",
    "JOB_COMPLETION_INDEX": "0",
    "HOSTNAME": "a-node-0-0",
}
TRAINER = """
import os, pathlib, signal, sys, time
def save(*_):
    pathlib.Path(os.environ["SAVED"], f"{os.getpid()}").touch()
    sys.exit(0)
signal.signal(signal.SIGTERM, save)
print("ready", flush=True)
if os.environ["NODE_RANK"] == os.environ.get("BREAKS"):
    while not pathlib.Path(os.environ["SAVED"], "../break").exists():
        time.sleep(0.01)
    if "COUNTER" in os.environ:
        pathlib.Path(os.environ["COUNTER"]).write_text("1")
    sys.exit(3)
while True:
    signal.pause()
"""
TORCHRUN = f"""#!{sys.executable}
import subprocess, sys
program = [word for word in sys.argv[1:] if not word.startswith(("--n", "--master", "--rdzv"))]
ranks = [subprocess.Popen([sys.executable, *program], start_new_session=True) for _ in range(2)]
sys.exit(max(rank.wait() for rank in ranks))
"""
DRAINED_WHILE_JOINING = """
import signal, socket, sys
def drained(*_, **__):
    signal.raise_signal(signal.SIGTERM)
    raise socket.gaierror("no such host")
socket.getaddrinfo = drained
import launch
sys.exit(launch.main())
"""
QUICK = """
import heartbeats, stop_channel, verdict
stop_channel.POLL_SECONDS, stop_channel.TICK_SECONDS = 0.05, 0.01
heartbeats.BEAT_SECONDS, verdict.SHORTEST_SECONDS = 0.05, 0.2
"""
ENDS = f"""{QUICK}
import sys, launch
sys.argv[1:] = ["-c", ""]
sys.exit(launch.main())
"""
LAUNCH = f"""{QUICK}
import functools, os, pathlib, sys
import devices, launch, rendezvous
devices.read = functools.partial(devices.read, pathlib.Path(os.environ["SYSFS"]), pathlib.Path(os.environ["SYSFS"]))
launch.POLL_SECONDS, rendezvous.RETRY_SECONDS = 0.05, 0.05
rendezvous.addresses_of = lambda _: {{"127.0.0.1"}}
sys.exit(launch.main())
"""
LAUNCHER = f"""{QUICK}
import pathlib, sys, mpi
mpi.HOSTS, mpi.SCRATCH, mpi.POLL_SECONDS = pathlib.Path("hosts"), pathlib.Path("scratch"), 0.01
sys.exit(mpi.launcher(["train.py"]))
"""


@pytest.fixture
def job() -> Job:
    return read_job(ENVIRONMENT)


@pytest.mark.parametrize(
    ("changes", "rank"),
    [
        ({"JOB_COMPLETION_INDEX": "1"}, 1),
        ({"TRAINING_JOB_INDEX": "2", "TRAINING_NODES_PER_JOB": "4", "JOB_COMPLETION_INDEX": "3"}, 11),
        ({"OMPI_COMM_WORLD_RANK": "5"}, 5),
    ],
    ids=["one Job", "a Job an UltraServer", "mpirun"],
)
def test_a_node_knows_its_place_among_all(changes: dict[str, str], rank: int) -> None:
    assert node_rank(ENVIRONMENT | changes) == rank


def test_torchrun_is_given_a_fixed_rank_and_a_process_for_each_core(job: Job) -> None:
    words = ranks.command(replace(job, front_end=FrontEnd.TORCHTITAN, node_rank=1), ["-m", "torchtitan.train"])
    assert words[0] == "torchrun"
    assert "--rdzv_conf=timeout=20" in words, "as long as the pods wait for each other"
    assert {"--nnodes=2", "--nproc_per_node=64", "--node_rank=1", "--master_addr=localhost"} <= set(words)
    assert words[-2:] == ["-m", "torchtitan.train"]


def test_jax_is_one_process_that_is_told_the_cores_of_all(job: Job) -> None:
    assert ranks.command(job, ["train.py"]) == ["python3", "train.py"]
    variables = ranks.environment(job, "10.0.0.1")
    assert variables["NEURON_PJRT_PROCESSES_NUM_DEVICES"] == "64,64"
    assert variables["NEURON_RT_ROOT_COMM_ID"] == "10.0.0.1:63182"
    assert variables["JAX_COORDINATOR_ADDRESS"] == "10.0.0.1:29500"


def test_torchrun_makes_the_variables_of_the_runtime_itself(job: Job) -> None:
    variables = ranks.environment(replace(job, front_end=FrontEnd.NXD), "10.0.0.1")
    assert not [name for name in variables if name.startswith(("NEURON_", "JAX_"))]


@pytest.mark.parametrize(
    ("changes", "has_flag"),
    [
        ({}, False),
        ({"TRAINING_RESTARTS": "1"}, True),
        ({"OMPI_COMM_WORLD_RANK": "0"}, True),
        ({"TRAINING_RESTARTS": "1", "TRAINING_RETRY_FAILED_GRAPHS": "false"}, False),
        ({"TRAINING_RESTARTS": "1", "TRAINING_FRONT_END": "jax"}, False),
    ],
)
def test_restarts_of_nxd_compile_failed_graphs_again(changes: dict[str, str], has_flag: bool) -> None:
    job = read_job(ENVIRONMENT | {"TRAINING_FRONT_END": "nxd"} | changes)
    assert ("NEURON_CC_FLAGS" in launch.cache_variables(job)) is has_flag


@pytest.fixture
def nodes(tmp_path: Path) -> Iterator[list[subprocess.Popen[str]]]:
    """Two nodes of one job, whose trainers wait for a signal."""
    yield (started := [])
    for node in started:
        node.kill()
        node.wait()
        if node.stdout:
            node.stdout.close()


def start(
    tmp_path: Path, front_end: str, rank: str = "JOB_COMPLETION_INDEX", count: int = 2, **further: str
) -> list[subprocess.Popen[str]]:
    program, torchrun = tmp_path / "train.py", tmp_path / "torchrun"
    program.write_text(TRAINER)
    torchrun.write_text(TORCHRUN)
    torchrun.chmod(0o755)
    (tmp_path / "saved").mkdir()
    with socket.create_server(("", 0)) as door:
        port = str(door.getsockname()[1])
    environment = (
        ENVIRONMENT
        | further
        | {
            "TRAINING_TOPOLOGY_PORT": port,
            "PATH": f"{tmp_path}:{Path(sys.executable).parent}:{os.environ['PATH']}",
            "PYTHONPATH": str(FILES),
            "TRAINING_FRONT_END": front_end,
            "TRAINING_STOP_FOLDER": str(tmp_path / "stop"),
            "SAVED": str(tmp_path / "saved"),
            "SYSFS": str(tmp_path / "saved" / ".."),
        }
    )
    return [
        subprocess.Popen(
            [sys.executable, "-c", LAUNCH, str(program)],
            env=environment | {"HOSTNAME": f"a-node-0-{index}", rank: str(index)},
            stdout=subprocess.PIPE,
            text=True,
        )
        for index in range(count)
    ]


def await_ready(node: subprocess.Popen[str], ranks_of_node: int) -> None:
    assert node.stdout
    for line in node.stdout:
        ranks_of_node -= line.strip() == "ready"
        if ranks_of_node == 0:
            return
    pytest.fail("the trainer did not start")


@pytest.mark.slow
@pytest.mark.parametrize(("front_end", "ranks_of_node"), [("jax", 1), ("nxd", 2)])
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


@pytest.mark.slow
@pytest.mark.parametrize(("front_end", "ranks_of_node"), [("jax", 1), ("nxd", 2)])
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
    nodes += start(tmp_path, "jax", TRAINING_SILENT_SECONDS="1")
    for node in nodes:
        await_ready(node, 1)
    nodes[1].send_signal(signal.SIGSTOP)
    assert nodes[0].wait(timeout=30) == 76
    assert list((tmp_path / "saved").iterdir()) == [], "a rank that waits for a lost one saves no checkpoint"


@pytest.mark.slow
def test_under_mpirun_a_stop_on_demand_ends_well_lest_mpirun_kills_the_others(
    tmp_path: Path, nodes: list[subprocess.Popen[str]]
) -> None:
    nodes += start(tmp_path, "jax", rank="OMPI_COMM_WORLD_RANK")
    for node in nodes:
        await_ready(node, 1)
    NoteFolder(tmp_path / "stop", "a-worker-1").write(Note.SAVE)
    assert [node.wait(timeout=30) for node in nodes] == [0, 0]


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


def run_alone(folder: Path, program: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """One program of the chart, in a process that may be told to stop; what lies in the folder is found first."""
    return subprocess.run(
        [sys.executable, "-c", program],
        env=ENVIRONMENT
        | {
            "PATH": f"{folder}:{os.environ['PATH']}",
            "PYTHONPATH": str(FILES),
            "TRAINING_STOP_FOLDER": str(folder / "stop"),
        }
        | environment,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_a_drain_before_the_others_are_found_asks_for_a_restart_too(tmp_path: Path) -> None:
    ended = run_alone(tmp_path, DRAINED_WHILE_JOINING, TRAINING_START_TIMEOUT_SECONDS="0")
    assert ended.returncode == 75, ended.stderr
    assert {note.suffix for note in (tmp_path / "stop").iterdir()} >= {".save"}


def test_a_restart_finds_no_failed_graphs_in_the_cache(tmp_path: Path) -> None:
    log = tmp_path / "cache" / "neuronxcc-2" / "MODULE_1" / "model.log"
    log.parent.mkdir(parents=True)
    log.touch()
    options = {"TRAINING_CACHE_FOLDER": str(tmp_path / "cache"), "TRAINING_NODES": "1"}
    run_alone(tmp_path, ENDS, **options)
    assert log.exists(), "a first start fails early for a graph that cannot be compiled"
    run_alone(tmp_path, ENDS, **options, TRAINING_RESTARTS="1")
    assert not log.exists()


def test_a_job_that_restarts_without_a_newer_checkpoint_ends(tmp_path: Path) -> None:
    """An eviction for a full disk, again and again: the JobSet does not count such restarts."""
    checkpoints = {"TRAINING_RUN": "uid", "CHECKPOINT_DIRECTORY": str(tmp_path / "none"), "TRAINING_NODES": "1"}
    first = [run_alone(tmp_path, ENDS, **checkpoints) for _ in range(4)]
    assert [each.returncode for each in first] == [0] * 4, first[-1].stderr
    last = run_alone(tmp_path, ENDS, **checkpoints)
    assert last.returncode == 1
    assert "although the job restarted 4 times" in last.stderr


@pytest.mark.parametrize(
    ("ssh", "code", "starts"),
    [
        ("kill -TERM $PPID; exit 1", 75, 0),
        ("kill -TERM $PPID", 75, 0),
        ("[ -e stop/1-b.save ] || touch stop/1-b.save", 4, 1),
        ("[ -e stop/1-b.lost ] || touch stop/1-b.lost", 4, 2),
        ("exit 1", 1, 0),
    ],
    ids=[
        "drained before a worker is there",
        "drained as the last comes up",
        "a worker drained",
        "a device lost",
        "no worker in time",
    ],
)
def test_a_drain_while_an_mpi_launcher_awaits_its_workers_uses_up_no_retry(
    tmp_path: Path, ssh: str, code: int, starts: int
) -> None:
    started = tmp_path / "started"
    started.touch()
    (tmp_path / "hosts").write_text("a slots=1\nb slots=1\n")
    (tmp_path / "keys").mkdir()
    (tmp_path / "keys" / "id_rsa.pub").write_text("ecdsa-sha2-nistp521 AAAA\n")
    for name, line in {"ssh": ssh, "mpirun": "echo >> started; exit 4"}.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{line}\n")
        (tmp_path / name).chmod(0o755)
    places = {"TRAINING_SSH_PORT": "2222", "TRAINING_SSH_KEYS": "keys", "TRAINING_RUN": ""}
    timeout = "0" if ssh == "exit 1" else "50"
    ended = run_alone(tmp_path, LAUNCHER, TRAINING_START_TIMEOUT_SECONDS=timeout, **places)
    assert ended.returncode == code, ended.stderr
    assert len(started.read_text().splitlines()) == starts
    assert (tmp_path / "scratch" / "known_hosts").read_text() == "* ecdsa-sha2-nistp521 AAAA\n"


def test_an_mpi_launcher_counts_its_attempts(tmp_path: Path) -> None:
    """Of those in its own pod too: a worker that is lost again and again is the third loss of three."""
    for name, text in {"hosts": "a slots=1\n", "keys/id_rsa.pub": "key\n", "ssh": "#!/bin/sh\n"}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "mpirun").write_text(
        "#!/bin/sh\ntouch checkpoint-$(wc -l < started) stop/$(date +%s%N)-b.lost\necho >> started\nexit 4\n"
    )
    (tmp_path / "started").touch()
    for program in ("ssh", "mpirun"):
        (tmp_path / program).chmod(0o755)
    places = {"TRAINING_SSH_PORT": "2222", "TRAINING_SSH_KEYS": "keys"}
    ended = run_alone(tmp_path, LAUNCHER, **places, TRAINING_RUN="uid", CHECKPOINT_DIRECTORY=str(tmp_path))
    assert ended.returncode == 1
    assert "lost 3 times" in ended.stderr
    assert len((tmp_path / "started").read_text().splitlines()) == 3


def test_only_hosts_with_the_key_of_the_job_are_connected_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRAINING_SSH_PORT", "2222")
    monkeypatch.setenv("TRAINING_SSH_KEYS", "/keys")
    options = " ".join(mpi.ssh_options())
    assert "StrictHostKeyChecking=yes" in options
    assert f"UserKnownHostsFile={mpi.SCRATCH}/known_hosts" in options


def test_no_variable_of_a_secret_is_written_to_the_configuration_of_sshd(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/opt/amazon/openmpi/bin:/usr/bin")
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    line = mpi.session_environment()
    assert '"PATH=/opt/amazon/openmpi/bin:/usr/bin"' in line
    assert "hf_secret" not in line


def test_a_rank_under_mpirun_has_the_variables_of_its_container(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = tmp_path / "environ"
    first.write_bytes(b"HF_TOKEN=hf_secret=\0OMPI_COMM_WORLD_RANK=9\0broken\0")
    monkeypatch.setenv("OMPI_COMM_WORLD_RANK", "3")
    monkeypatch.delenv("HF_TOKEN", raising=False)
    launch.inherit(first)
    assert (os.environ["HF_TOKEN"], os.environ["OMPI_COMM_WORLD_RANK"]) == ("hf_secret=", "3")
    monkeypatch.delenv("HF_TOKEN")


def places(*numbers: int, server: str = "s") -> list[Place]:
    return [Place(server, number, f"{server}-{number}", (1, 2, 4)) for number in numbers]


def test_places_are_sorted_by_server_and_number() -> None:
    ordered = ultraserver.sorted_places(places(1, 0, server="b") + places(1, 0, server="a"), 2)
    assert [place.host for place in ordered] == ["a-0", "a-1", "b-0", "b-1"]


@pytest.mark.parametrize("found", [places(0, 1, 2), places(0, 1, 2, 2)], ids=["one is missing", "one is double"])
def test_an_ultraserver_that_is_not_whole_is_refused(found: list[Place]) -> None:
    with pytest.raises(WrongPlacement, match="not 4"):
        ultraserver.sorted_places(found, 4)


def test_the_runtime_is_told_place_and_mode() -> None:
    ordered = places(0, 1)
    assert ultraserver.environment(ordered, ordered[1], 2) == {
        "NEURON_GLOBAL_TOPOID": "1",
        "NEURON_GLOBAL_TOPOID0_HOST": "s-0",
        "NEURON_RT_ULTRASERVER_MODE": "2",
        "NEURON_RT_ULTRASERVER_SERVER_ID": "s",
        "NEURON_RT_ULTRASERVER_NODE_ID": "1",
    }


def test_a_node_without_the_mode_is_refused() -> None:
    alone = Place("s", 0, "s-0", (4,))
    with pytest.raises(WrongPlacement, match="its modes are"):
        ultraserver.environment([alone], alone, 4)


def test_the_driver_tells_the_place(tmp_path: Path) -> None:
    (tmp_path / "server_id_4").write_text("bog79p\n")
    (tmp_path / "node_id_4").write_text("2\n")
    (tmp_path / "ultraserver_mode").write_text("1,2,4\n")
    assert ultraserver.own_place(4, "host", tmp_path) == Place("bog79p", 2, "host", (1, 2, 4))
    with pytest.raises(WrongPlacement, match="no UltraServer of 2"):
        ultraserver.own_place(2, "host", tmp_path)


def test_the_driver_of_trn3_tells_one_place_for_all_sizes(tmp_path: Path) -> None:
    (tmp_path / "reservation_id").write_text("cr-0123456789abcdef0\n")
    (tmp_path / "node_id").write_text("3\n")
    (tmp_path / "ultraserver_mode").write_text("1,2\n")
    assert ultraserver.own_place(4, "host", tmp_path) == Place("cr-0123456789abcdef0", 3, "host", (1, 2))


def test_a_missing_variable_is_named() -> None:
    with pytest.raises(KeyError, match="TRAINING_CORES"):
        read_job({name: value for name, value in ENVIRONMENT.items() if name != "TRAINING_CORES"})
