"""The program of a node: starts the ranks, and ends them so that training can go on from a checkpoint.

Exit codes: verdict.py. Under mpirun a stop on demand ends with 0 as well: any other code would make mpirun kill the
nodes that still save.
"""

from __future__ import annotations

import dataclasses
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import attempts
import compile_cache
import devices
import node_folders
import processes
import ranks
import rendezvous
import resume
import ultraserver
import verdict
import volume
from checkpoint_manifest import NODE
from compile_cache import CompileCache
from job import MPI_RANK, FrontEnd, Job, read_job
from manifest_writer import ManifestWriter, NodesManifestWriter
from node_folders import OtherFolder, OtherNodes
from notes import Note
from rendezvous import Meeting
from resume import Checksums
from silence import Silence
from stop_channel import StopChannel, Stopped

POLL_SECONDS = 2
END_SECONDS = 10
"""For compilers and other processes that the ranks left behind."""
FIRST_PROCESS = Path("/proc/1/environ")


def inherit(first_process: Path = FIRST_PROCESS) -> None:
    """Under mpirun: the variables of the container, of which the session of sshd has only those of the chart."""
    try:
        pairs = first_process.read_bytes().split(b"\0")
    except PermissionError as problem:  # a container runtime that hides it; the chart's own variables are here
        print(f"neuron-training: without the variables of trainer.env and its Secret: {problem}", file=sys.stderr)
        return
    for pair in pairs:
        name, equals, value = pair.partition(b"=")
        if equals:
            os.environb.setdefault(name, value)


def main() -> int:
    if MPI_RANK in os.environ:
        inherit()
    job = read_job()
    channel = StopChannel(job.stop_folder, job.pod, cleans=job.node_rank == 0, beats=shows_life(job))
    # The kubelet's SIGTERM means a drain; mpirun's means that another node has failed.
    reported = Note.FAILED if job.under_mpirun else Note.SAVE
    signal.signal(signal.SIGTERM, lambda *_: channel.leave(reported))
    try:
        return run(job, channel, sys.argv[1:])
    finally:
        channel.close()


def shows_life(job: Job) -> bool:
    """Under mpirun the worker's mpi.py does, which lives longer than this program."""
    return job.nodes > 1 and not job.under_mpirun


def run(job: Job, channel: StopChannel, program: list[str]) -> int:
    """Starts the ranks once the others can be found, and waits for them."""
    try:
        channel.await_open(job.start_timeout_seconds)
        volume.patiently(partial(begin_attempt, job, channel), job.start_timeout_seconds, channel.check)
        cache = compile_cache.shared(job)
        print(f"neuron-training: node {job.node_rank} of {job.nodes} waits for the others", flush=True)
        job, variables, folder = join(job, channel)
    except Stopped:
        return code_of(job, channel)
    except rendezvous.Missing as problem:
        print(f"neuron-training: {problem}", file=sys.stderr, flush=True)
        if channel.heard() is None:
            channel.leave(Note.LOST)
        return code_of(job, channel)
    except (OSError, ultraserver.WrongPlacement, attempts.TooManyRestarts) as problem:
        print(f"neuron-training: {problem}", file=sys.stderr, flush=True)
        return code_of(job, channel)
    command = ranks.command(job, program)
    print(f"neuron-training: node {job.node_rank} of {job.nodes} runs {command}", flush=True)
    processes.adopt_orphans()
    counters = devices.read()
    code = train(job, channel, command, variables, cache, folder)
    if code != 0 and (errors := devices.new_errors(counters, devices.read())):
        print(f"neuron-training: a Neuron device failed: {'; '.join(errors)}", flush=True)
        channel.leave(Note.LOST)
    processes.end_others(END_SECONDS)
    if cache:
        cache.release()
    if code == 0 and channel.look(verdict.LOOK_SECONDS) is not Note.SAVE:
        return 0
    return code_of(job, channel)


def train(
    job: Job,
    channel: StopChannel,
    command: list[str],
    variables: dict[str, str],
    cache: CompileCache | None,
    folder: OtherFolder | OtherNodes | None,
) -> int:
    """The exit code of the trainer; its checkpoints have their manifests."""
    writer = manifest_writer(job, folder)
    if writer:
        writer.start()
    with subprocess.Popen(command, env=dict(os.environ) | variables) as trainer:
        code = watch(job, channel, trainer, cache)
    if writer:
        writer.finish()
    if folder:
        folder.end(has_saved=code == 0 or channel.heard() is Note.SAVE)
    return code


def begin_attempt(job: Job, channel: StopChannel) -> None:
    """Raises TooManyRestarts. The first pod sets incomplete checkpoints aside, and counts unless the launcher does."""
    if job.node_rank != 0:
        return
    if not job.folder_per_node and (newest := resume.settle(job.checkpoint_folder, job.checkpoints)):
        print(f"neuron-training: the newest checkpoint is {newest}", flush=True)
    if not job.under_mpirun:
        attempts.count(job.stop_folder, job.run, job.checkpoint_folder, channel.earlier, job.limits)


def manifest_writer(job: Job, nodes: OtherFolder | OtherNodes | None = None) -> ManifestWriter | None:
    """Of the first pod; None for the others, and without a volume."""
    if job.node_rank != 0 or job.checkpoint_folder is None:
        return None
    parallelism = {"nodes": job.nodes, "cores_per_node": job.cores}
    checksums = job.checkpoints.checksums is not Checksums.NONE
    known = (job.checkpoint_folder, parallelism, job.checkpoints.sdk)
    if isinstance(nodes, OtherNodes):
        return NodesManifestWriter(*known, checksums=checksums, node=job.pod, others=nodes)
    return ManifestWriter(*known, checksums=checksums)


def join(job: Job, channel: StopChannel) -> tuple[Job, dict[str, str], OtherFolder | OtherNodes | None]:
    """This node's part, its variables and what it shares no folder with, once all others are there.

    Raises Stopped when one of them ends before.
    """
    address = ranks.address_of(job.master_host, job.start_timeout_seconds, channel.check)
    extra: dict[str, str] = {}
    folder = None
    if job.ultraserver_size > 1:
        own = ultraserver.own_place(job.ultraserver_size, ranks.own_host())
        order = partial(ultraserver.sorted_places, size=job.ultraserver_size)
        places = Meeting(job=job, order=order, check=channel.check).exchange(own)
        extra = ultraserver.environment(places, own, job.ultraserver_size)
        # Ranks follow the wires: the node with topology id 0 leads.
        job = dataclasses.replace(job, node_rank=places.index(own), master_host=places[0].host)
        address = ranks.address_of(job.master_host, job.start_timeout_seconds, channel.check)
    elif job.folder_per_node:
        folder = node_folders.meet(job, channel.check)
        extra = {NODE: job.pod}
    elif job.nodes > 1:
        Meeting(job=job, order=sorted, check=channel.check).exchange(rendezvous.own_place(job))
    return job, ranks.environment(job, address) | compile_cache.variables(job) | extra, folder


def watch(job: Job, channel: StopChannel, trainer: subprocess.Popen[bytes], cache: CompileCache | None) -> int:
    """Waits for the trainer; passes a stop on to its ranks, and ends them when another node has failed."""
    silence = Silence(channel, job.silent_seconds)
    deadline: float | None = None
    while (code := processes.wait(trainer, POLL_SECONDS)) is None:
        if cache:
            cache.observe(processes.command_lines())
        heard = channel.heard() or silence.look()
        if heard in (Note.LOST, Note.FAILED) or (deadline is not None and time.monotonic() > deadline):
            processes.send(signal.SIGKILL, [*processes.children(trainer.pid), trainer.pid])
        elif heard is Note.SAVE and deadline is None:
            print(f"neuron-training: told to stop; the ranks have {job.grace_seconds} s", flush=True)
            deadline = time.monotonic() + job.grace_seconds
            processes.send(signal.Signals[job.stop_signal], ranks_of(job, trainer.pid))
    return code


def code_of(job: Job, channel: StopChannel) -> int:
    """The exit code of a node without a result. Under mpirun the launcher decides, by the notes of all."""
    if not job.under_mpirun:
        return verdict.CODES[verdict.without_result(channel, is_alone=job.nodes == 1)]
    if channel.look(verdict.LOOK_SECONDS) is Note.SAVE:
        return 0
    channel.leave(Note.FAILED)
    return verdict.FAILED


def ranks_of(job: Job, trainer: int) -> list[int]:
    """The ranks themselves: torchrun, told to stop, would leave them half a minute only."""
    return [trainer] if job.front_end is FrontEnd.JAX else processes.children(trainer)


if __name__ == "__main__":
    sys.exit(main())
