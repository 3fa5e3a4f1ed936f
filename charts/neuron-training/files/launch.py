"""The program of a node: starts the ranks, and ends them so that training can go on from a checkpoint.

Exit codes: 0 trained to the end; 75 stopped on demand, to be started again; 1 failed here or on another node. Under
mpirun a stop on demand ends with 0 as well: any other code would make mpirun kill the nodes that still save.
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

import processes
import ranks
import rendezvous
import ultraserver
from job import MPI_RANK, FrontEnd, Job, read_job
from notes import Note
from rendezvous import Meeting
from stop_channel import StopChannel, Stopped

STOPPED = 75
FAILED = 1
POLL_SECONDS = 2
LOOK_SECONDS = 10
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
    channel = StopChannel(job.stop_folder, job.pod, cleans=job.node_rank == 0)
    # The kubelet's SIGTERM means a drain; mpirun's means that another node has failed.
    reported = Note.FAILED if job.under_mpirun else Note.SAVE
    signal.signal(signal.SIGTERM, lambda *_: channel.leave(reported))
    try:
        return run(job, channel, sys.argv[1:])
    finally:
        channel.close()


def run(job: Job, channel: StopChannel, program: list[str]) -> int:
    """Starts the ranks once the others can be found, and waits for them."""
    try:
        channel.await_open(job.start_timeout_seconds)
        print(f"neuron-training: node {job.node_rank} of {job.nodes} waits for the others", flush=True)
        job, variables = join(job, channel)
    except Stopped:
        return failed_unless_stopped(job, channel)
    except (OSError, ultraserver.WrongPlacement) as problem:
        print(f"neuron-training: {problem}", file=sys.stderr, flush=True)
        return failed_unless_stopped(job, channel)
    command = ranks.command(job, program)
    print(f"neuron-training: node {job.node_rank} of {job.nodes} runs {command}", flush=True)
    processes.adopt_orphans()
    with subprocess.Popen(command, env=dict(os.environ) | variables) as trainer:
        code = watch(job, channel, trainer)
    processes.end_others(END_SECONDS)
    if code == 0 and channel.look(LOOK_SECONDS) is not Note.SAVE:
        return 0
    return failed_unless_stopped(job, channel)


def join(job: Job, channel: StopChannel) -> tuple[Job, dict[str, str]]:
    """This node's part and its variables, once all others are there. Raises Stopped when one of them ends before."""
    address = ranks.address_of(job.master_host, job.start_timeout_seconds, channel.check)
    extra: dict[str, str] = {}
    if job.ultraserver_size > 1:
        own = ultraserver.own_place(job.ultraserver_size, ranks.own_host())
        order = partial(ultraserver.sorted_places, size=job.ultraserver_size)
        places = Meeting(job=job, order=order, check=channel.check).exchange(own)
        extra = ultraserver.environment(places, own, job.ultraserver_size)
        # Ranks follow the wires: the node with topology id 0 leads.
        job = dataclasses.replace(job, node_rank=places.index(own), master_host=places[0].host)
        address = ranks.address_of(job.master_host, job.start_timeout_seconds, channel.check)
    elif job.nodes > 1:
        Meeting(job=job, order=sorted, check=channel.check).exchange(rendezvous.own_place(job))
    return job, ranks.environment(job, address) | extra


def watch(job: Job, channel: StopChannel, trainer: subprocess.Popen[bytes]) -> int:
    """Waits for the trainer; passes a stop on to its ranks, and ends them when another node has failed."""
    deadline: float | None = None
    while (code := processes.wait(trainer, POLL_SECONDS)) is None:
        heard = channel.heard()
        if heard is Note.FAILED or (deadline is not None and time.monotonic() > deadline):
            processes.send(signal.SIGKILL, [*processes.children(trainer.pid), trainer.pid])
        elif heard is Note.SAVE and deadline is None:
            print(f"neuron-training: told to stop; the ranks have {job.grace_seconds} s", flush=True)
            deadline = time.monotonic() + job.grace_seconds
            processes.send(signal.Signals[job.stop_signal], ranks_of(job, trainer.pid))
    return code


def failed_unless_stopped(job: Job, channel: StopChannel) -> int:
    """How this node ends without a result: stopped when it was told to, else failed, which it tells the others."""
    if channel.look(LOOK_SECONDS) is Note.SAVE:
        return 0 if job.under_mpirun else STOPPED
    channel.leave(Note.FAILED)
    return FAILED


def ranks_of(job: Job, trainer: int) -> list[int]:
    """The ranks themselves: torchrun, told to stop, would leave them half a minute only."""
    return [trainer] if job.front_end is FrontEnd.JAX else processes.children(trainer)


if __name__ == "__main__":
    sys.exit(main())
