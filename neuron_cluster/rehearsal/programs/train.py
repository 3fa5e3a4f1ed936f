"""A training program that computes nothing: it compiles, meets the other ranks at each step, saves and resumes.

Its state is a chain of digests, one for each step: only a run that repeats or leaves out no step after its checkpoint
ends with the right one. A checkpoint is complete when it has the manifest of charts/neuron-training, which is written
last. train_jax.py has the same loop, files and exit codes.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import json
import os
import shutil
import signal
import socket
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TextIO

from program_report import report

RETRY_SECONDS = 1
RENDEZVOUS_SECONDS = 300
"""As JAX waits for its coordinator (``initialization_timeout`` of jax.distributed.initialize)."""
FAILED = 1
STATE_OF_STEP_0 = "0" * 64
MANIFEST = "_manifest.json"
CHART_PROGRAMS = ("/opt/neuron-training", "/opt/neuron-cluster/training")
"""Where a trainer finds the chart's modules: in pods and training jobs, on nodes of Slurm."""
DEVICE_ERROR = "device-error"
"""File in the folder of faults."""


def option_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, required=True)
    for name in ("step", "save", "compile"):
        parser.add_argument(f"--{name}-seconds", type=float, required=True)
    parser.add_argument("--checkpoint-every", type=int, required=True)
    return parser


@dataclass(frozen=True)
class Place:
    """This rank among all, and where they meet."""

    rank: int
    size: int
    host: str
    port: int


def read_place(environment: Mapping[str, str]) -> Place:
    """One rank a node, unless torchrun starts more."""
    return Place(
        rank=int(environment.get("RANK", environment["NODE_RANK"])),
        size=int(environment.get("WORLD_SIZE", environment["NNODES"])),
        host=environment["MASTER_ADDR"],
        port=int(environment["MASTER_PORT"]),
    )


class Meeting(Protocol):
    """Where all ranks meet at each step, as in a collective operation."""

    def exchange(self, *, stops: bool) -> bool:
        """Whether any rank stops. Waits for all; raises ``ConnectionError`` when one is gone."""


class Model(Protocol):
    """The trained model."""

    state: str
    """This rank's part of it, as a checkpoint holds it."""

    def advance(self, step: int) -> None:
        """Computes this step. All ranks do it together."""

    def result(self) -> dict[str, object]:
        """Returns the report at the end, with a digest as ``state``. All ranks call it."""


class DigestChain:
    """A model of nothing."""

    def __init__(self) -> None:
        self.state = STATE_OF_STEP_0

    def advance(self, step: int) -> None:
        self.state = hashlib.sha256(f"{self.state} {step}".encode()).hexdigest()

    def result(self) -> dict[str, object]:
        return {"state": self.state}


class Leader:
    """Rank 0: hears each rank, and answers all."""

    def __init__(self, place: Place) -> None:
        lines: list[socket.socket] = []
        with socket.create_server(("", place.port)) as door:
            door.settimeout(RENDEZVOUS_SECONDS)
            while len(lines) < place.size - 1:
                lines.append(door.accept()[0])
        for line in lines:
            line.settimeout(None)
        self._files = [line.makefile("rw") for line in lines]

    def exchange(self, *, stops: bool) -> bool:
        heard = [heard_in(file) for file in self._files]
        any_stops = stops or any(heard)
        for file in self._files:
            say(file, stops=any_stops)
        return any_stops


class Follower:
    """Any other rank."""

    def __init__(self, place: Place) -> None:
        deadline = time.monotonic() + RENDEZVOUS_SECONDS
        while True:
            try:
                line = socket.create_connection((place.host, place.port))
                break
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(RETRY_SECONDS)
        self._file = line.makefile("rw")

    def exchange(self, *, stops: bool) -> bool:
        say(self._file, stops=stops)
        return heard_in(self._file)


def say(file: TextIO, *, stops: bool) -> None:
    file.write(f"{int(stops)}\n")
    file.flush()


def heard_in(file: TextIO) -> bool:
    line = file.readline()
    if not line:
        raise ConnectionError("a rank is gone")
    return line.strip() == "1"


class Checkpoints:
    """``step-N`` with a file of each rank, and a manifest. Without a folder nothing is saved."""

    def __init__(self, folder: Path | None, place: Place) -> None:
        self._folder, self._place = folder, place

    def save(self, step: int, state: str, meeting: Meeting) -> None:
        if self._folder is None:
            return
        target = self._folder / f"step-{step:06d}"
        target.mkdir(parents=True, exist_ok=True)
        (target / f"rank-{self._place.rank}").write_text(state, encoding="ascii")
        meeting.exchange(stops=False)
        if self._place.rank == 0:
            write_manifest(target, step, self._place.size)
            report("Saved", step=step)

    def newest(self) -> tuple[int, str | None]:
        """Step and state of the newest complete one; 0 without one. Rank 0 deletes what is not complete."""
        for target in sorted(self._folder.glob("step-*"), reverse=True) if self._folder is not None else ():
            manifest = target / MANIFEST
            if manifest.exists():
                step = int(json.loads(manifest.read_text(encoding="ascii"))["step"])
                return step, (target / f"rank-{self._place.rank}").read_text(encoding="ascii")
            if self._place.rank == 0:
                shutil.rmtree(target, ignore_errors=True)
        return 0, None


def write_manifest(target: Path, step: int, ranks: int) -> None:
    sys.path += CHART_PROGRAMS  # last, so that it hides no module of the trainer
    manifests = importlib.import_module("checkpoint_manifest")
    manifests.write_manifest(target, step, parallelism={"ranks": ranks}, checksums=True)


def compile_once(seconds: float, rank: int, cache: Path | None) -> None:
    """Every rank compiles, unless the cache has the result."""
    entry = cache / "graph.neff" if cache is not None else None
    if entry is not None and entry.exists():
        return
    if rank == 0:
        report("Compiling", seconds=seconds)
    time.sleep(seconds)
    if entry is not None and rank == 0:
        entry.parent.mkdir(parents=True, exist_ok=True)
        entry.touch()


def meet_device_error() -> None:
    """Raises OSError once the device has failed, with a message as NRT prints it."""
    if (Path(os.environ.get("REHEARSAL_FAULTS", "/")) / DEVICE_ERROR).exists():
        report("DeviceError")
        raise OSError("NRT_EXEC_HW_ERR_NC_UE: uncorrectable error of a NeuronCore")


def train(given: argparse.Namespace, place: Place, meeting: Meeting, model: Model) -> None:
    stops: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _: stops.append(number))
    checkpoints = Checkpoints(folder_of("CHECKPOINT_DIRECTORY"), place)
    step, state = checkpoints.newest()
    model.state = model.state if state is None else state
    if place.rank == 0:
        report("Resumed", step=step)
    compile_once(given.compile_seconds, place.rank, folder_of("NEURON_COMPILE_CACHE_URL"))
    while step < given.steps:
        time.sleep(given.step_seconds)
        meet_device_error()
        must_stop = meeting.exchange(stops=bool(stops))
        step += 1
        model.advance(step)
        if place.rank == 0:
            report("Step", step=step)
        if must_stop or step % given.checkpoint_every == 0 or step == given.steps:
            time.sleep(given.save_seconds)
            checkpoints.save(step, model.state, meeting)
        if must_stop:
            return
    result = model.result()
    if place.rank == 0:
        report("Trained", step=step, **result)


def folder_of(variable: str) -> Path | None:
    """None where it is not set, or an address of S3."""
    path = os.environ.get(variable, "")
    return Path(path) if path.startswith("/") else None


def main() -> int:
    given, place = option_parser().parse_args(), read_place(os.environ)
    try:
        meeting: Meeting = Leader(place) if place.rank == 0 else Follower(place)
        train(given, place, meeting, DigestChain())
    except OSError as problem:
        print(f"train: rank {place.rank}: {problem}", file=sys.stderr, flush=True)
        return FAILED
    return 0


if __name__ == "__main__":
    sys.exit(main())
