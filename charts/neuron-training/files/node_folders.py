"""Checkpoints where each node has a folder of its own: the first node asks the others what they have.

In a SageMaker training job a node sees what it wrote itself, and what the S3 prefix of all nodes had at the start of
the job; what is deleted in one folder is deleted in S3 (SageMaker developer guide, model-checkpoints). So the first
node alone decides, once all nodes are there and have their copies: which checkpoint all of them load, and what belongs
to the manifest of a new one. It keeps what it sets aside, and the others delete the same files: only one copy goes back
to S3. The others answer at the topology port, to the first node only.
"""

from __future__ import annotations

import json
import shutil
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import rendezvous
from checkpoint_folders import name_of, newest_first
from checkpoint_manifest import File, files_of, sizes_of
from job import Job
from manifest_writer import same
from rendezvous import Meeting, Missing
from resume import judged, set_aside

TICK_SECONDS = 0.5
CONNECT_SECONDS = 10
LIST_SECONDS = 60
CHECKSUM_SECONDS = 4 * 3600
"""A node reads its whole part of a checkpoint."""
END_SECONDS = 40
"""A node without its first node waits so long before it ends: the last manifest lists its files."""


def meet(job: Job, check: Callable[[], None]) -> OtherFolder | OtherNodes:
    """Returns when all nodes are there and will load the same checkpoint.

    Raises Missing, OSError and what ``check`` raises.
    """
    folder = job.checkpoint_folder or Path()
    meeting, own = Meeting(job=job, order=sorted, check=check), rendezvous.own_place(job)
    if job.node_rank:
        other = OtherFolder(job, folder)
        other.open()
        meeting.exchange(own)
        other.await_settled(check)
        return other
    nodes = OtherNodes(job, folder, [place.host for place in meeting.exchange(own) if place != own])
    if newest := nodes.settle(check):
        print(f"neuron-training: the newest checkpoint of all nodes is {newest}", flush=True)
    return nodes


class OtherFolder:
    """The folder of a node that is not the first, and what it answers."""

    def __init__(self, job: Job, folder: Path) -> None:
        self._job, self._folder = job, folder
        self._settled, self._ended = threading.Event(), threading.Event()

    def open(self) -> None:
        """From now on the first node is answered. Raises OSError."""
        threading.Thread(target=self._serve, args=(rendezvous.door_of(self._job),), daemon=True).start()

    def await_settled(self, check: Callable[[], None]) -> None:
        """Until the first node has decided which checkpoint is loaded. Raises Missing, and what ``check`` raises."""
        deadline = time.monotonic() + self._job.start_timeout_seconds
        while not self._settled.wait(TICK_SECONDS):
            check()
            if time.monotonic() > deadline:
                raise Missing(f"{self._job.master_host} did not say in time which checkpoint is loaded")

    def end(self, *, has_saved: bool) -> None:
        """Returns when the first node has written its last manifest, where a checkpoint may lack one."""
        if has_saved:
            self._ended.wait(END_SECONDS)

    def answer(self, request: Mapping[str, Any]) -> Mapping[str, Any]:
        """Raises OSError, and KeyError and ValueError for anything else than a request."""
        match request["ask"]:
            case "why":
                return {"why": self._why(str(request["name"]))}
            case "settle":
                self._settle(str(request["newest"]), request["aside"])
                self._settled.set()
            case "files":
                path = self._path(str(request["name"]))
                found = files_of(path, checksums=bool(request["checksums"])) if path.is_dir() else []
                return {"files": [[file.path, file.size, file.crc32] for file in found]}
            case "delete":
                shutil.rmtree(self._path(str(request["name"])), ignore_errors=True)
            case "end":
                self._ended.set()
            case _:
                raise ValueError("no such question")
        return {}

    def _why(self, name: str) -> str:
        for path, why in judged(self._folder, self._job.checkpoints):
            if name_of(self._folder, path) == name:
                return why
        return "it is not there"

    def _settle(self, newest: str, aside: Mapping[str, Mapping[str, int]]) -> None:
        for _, path in newest_first(self._folder):
            name = name_of(self._folder, path)
            if name == newest:
                return
            if path.is_dir() and sizes_of(path).items() <= aside.get(name, {}).items():
                shutil.rmtree(path)
            else:
                set_aside(path, "not all nodes have it")

    def _path(self, name: str) -> Path:
        if {"", ".", ".."} & set(name.split("/")):
            raise ValueError(f"{name!r} is not a checkpoint")
        return self._folder / name

    def _serve(self, door: socket.socket) -> None:
        with door:
            while True:
                try:
                    line = door.accept()[0]
                except TimeoutError:
                    continue
                with line:
                    self._respond(line)

    def _respond(self, line: socket.socket) -> None:
        job = self._job
        if not rendezvous.is_of_job(job, job.master_host, rendezvous.address_of(line), rendezvous.addresses_of):
            return
        line.settimeout(CONNECT_SECONDS)
        try:
            try:
                answer = self.answer(json.loads(line.makefile().readline()))
            except (OSError, KeyError, ValueError, TypeError) as problem:
                answer = {"problem": repr(problem)}
            line.sendall(json.dumps(answer).encode() + b"\n")
        except OSError as problem:  # the first node has given up
            print(f"neuron-training: no answer to {job.master_host}: {problem}", file=sys.stderr, flush=True)


class OtherNodes:
    """The other nodes, as the first one asks them. Each call raises OSError when one of them does not answer."""

    def __init__(self, job: Job, folder: Path, hosts: Sequence[str]) -> None:
        self._job, self._folder, self._hosts = job, folder, hosts

    def settle(self, check: Callable[[], None]) -> str:
        """The newest checkpoint that is complete on all nodes, "" for none. Newer ones are set aside on all of them.

        Also raises what ``check`` raises, between two questions.
        """
        newest, aside = "", {}
        for path, own_why in judged(self._folder, self._job.checkpoints):
            check()
            name = name_of(self._folder, path)
            sizes = sizes_of(path) if path.is_dir() else {}
            why = own_why or self._why(name)
            if not why or not set_aside(path, why):
                newest = name
                break
            aside[name] = sizes
        for host in self._hosts:
            check()
            self._ask(host, self._job.start_timeout_seconds, ask="settle", newest=newest, aside=aside)
        return newest

    def files(self, name: str, *, checksums: bool) -> list[File]:
        """Returns the files of this checkpoint on the others. Raises OSError too for a file that two nodes wrote."""
        found: dict[str, File] = {}
        seconds = CHECKSUM_SECONDS if checksums else LIST_SECONDS
        for host in self._hosts:
            for row in self._ask(host, seconds, ask="files", name=name, checksums=checksums)["files"]:
                same(found.setdefault(row[0], File(*row)), File(*row))
        return list(found.values())

    def delete(self, name: str) -> None:
        """The trainer of the first node has deleted its part: the others do it with theirs."""
        for host in self._hosts:
            self._ask(host, LIST_SECONDS, ask="delete", name=name)

    def end(self, *, has_saved: bool) -> None:
        """The others need not wait any more, whatever came of the last checkpoint. One without an answer has ended."""
        del has_saved
        for host in self._hosts:
            try:
                self._ask(host, CONNECT_SECONDS, ask="end")
            except OSError as problem:
                print(f"neuron-training: {host} does not hear that it may end: {problem}", file=sys.stderr, flush=True)

    def _why(self, name: str) -> str:
        return next(self._reasons(name), "")

    def _reasons(self, name: str) -> Iterator[str]:
        for host in self._hosts:
            why = str(self._ask(host, self._job.start_timeout_seconds, ask="why", name=name)["why"])
            if why:
                yield f"on {host}: {why}"

    def _ask(self, host: str, seconds: float, **request: object) -> Mapping[str, Any]:
        with socket.create_connection((host, self._job.topology_port), timeout=CONNECT_SECONDS) as line:
            line.sendall(json.dumps(request).encode() + b"\n")
            line.settimeout(seconds)
            text = line.makefile().readline()
        answer: Mapping[str, Any] = json.loads(text) if text.endswith("\n") else {"problem": "it has hung up"}
        if "problem" in answer:
            raise OSError(f"{host}: {answer['problem']}")
        return answer
