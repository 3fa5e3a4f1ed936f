"""Nodes of charts/neuron-training as processes of this machine, with trainers that wait for a signal."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

FILES = Path(__file__).parents[3] / "charts" / "neuron-training" / "files"

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
    "TRAINING_WITHOUT_MANIFEST": "untilFirst",
    "TRAINING_CHECKSUMS": "none",
    "TRAINING_IMAGE": "public.ecr.aws/neuron/jax:0.10.0-neuronx-py313-sdk2.32.0-ubuntu24.04",
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


def start(
    tmp_path: Path,
    front_end: str,
    rank: str = "JOB_COMPLETION_INDEX",
    count: int = 2,
    program: str = TRAINER,
    **further: str,
) -> list[subprocess.Popen[str]]:
    script, torchrun = tmp_path / "train.py", tmp_path / "torchrun"
    script.write_text(program)
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
            [sys.executable, "-c", LAUNCH, str(script)],
            cwd=tmp_path,
            env=environment | {"HOSTNAME": f"a-node-0-{index}", rank: str(index)},
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,  # the fixture ``nodes`` ends the group
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
