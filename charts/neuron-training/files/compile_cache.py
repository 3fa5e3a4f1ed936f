"""The compile cache that jobs share: a compiler that was killed leaves a lock, and at times a graph counts as failed.

Ranks wait for a lock without end ("Another process must be compiling"), and fail at once for a failed graph ("Got a
cached failed neff"). An entry is COMPILER/MODULE_…; with model.log it has failed, with model.done not, with a file
*.lock it is being compiled by a process whose command line names the module (huggingface/optimum-neuron, its notes on
the cache and #698). Flag and locks: aws-neuron/aws-neuron-sdk:about-neuron/arch/neuron-features/neuron-caching.rst and
pytorch-neuron-parallel-compile.rst @81ce03a. A cache in S3 is left alone.
"""

from __future__ import annotations

import contextlib
import glob
import os
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from job import FrontEnd, Job

RETRY = "--retry_failed_compilation"
MODULE = re.compile(r"MODULE_[^\s/.\0]+")
SWEEP_SECONDS = 1800
LONGEST_SECONDS = 5
"""A volume that hangs is not waited for."""


def shared(job: Job) -> CompileCache | None:
    """The cache on a claim, without what compilers of other pods left behind; the first pod cares for that."""
    if job.cache.folder is None:
        return None
    cache = CompileCache(job.cache.folder)
    if job.node_rank == 0 and _retries_failed(job):
        cache.forget_failures()
    if job.node_rank == 0 and job.cache.stale_lock_minutes:
        cache.sweep(job.cache.stale_lock_minutes)
    return cache


def variables(job: Job, environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """What makes NxD compile failed graphs again; nothing if the environment has it already.

    Whether JAX knows the flag is not documented, and TorchNeuron has a cache of its own.
    """
    flags = environment.get("NEURON_CC_FLAGS", "")
    if job.front_end is not FrontEnd.NXD or not _retries_failed(job) or RETRY in flags.split():
        return {}
    return {"NEURON_CC_FLAGS": f"{flags} {RETRY}".strip()}


def _retries_failed(job: Job) -> bool:
    """From the first restart on. Under mpirun, where a rank does not know of restarts, always."""
    return job.cache.retries_failed and job.restarts != 0


class CompileCache:
    """A cache on a claim, and which graphs this pod was seen compiling."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._modules: set[str] = set()

    def observe(self, command_lines: Iterable[str]) -> None:
        """Takes in which graphs are compiled now."""
        for line in command_lines:
            self._modules.update(MODULE.findall(line))

    def release(self) -> None:
        """Deletes the locks of this pod, whose compilers have ended."""
        if self._modules:
            _in_time(self._delete_own_locks)

    def forget_failures(self) -> None:
        """Failed graphs of all pods are compiled again."""
        _in_time(self._delete_failures)

    def sweep(self, minutes: int) -> None:
        """From now on, deletes the locks of this age, of whatever pod, in a thread of its own."""

        def run() -> None:
            while True:
                self.delete_old_locks(minutes)
                time.sleep(SWEEP_SECONDS)

        threading.Thread(target=run, daemon=True).start()

    def delete_old_locks(self, minutes: int) -> None:
        oldest = time.time() - minutes * 60
        for lock in self._find("MODULE_*", "*.lock"):
            with contextlib.suppress(OSError):
                if lock.stat().st_mtime < oldest:
                    _delete(lock)

    def _delete_own_locks(self) -> None:
        for module in sorted(self._modules):
            for lock in self._find(glob.escape(module), "*.lock"):
                _delete(lock)

    def _delete_failures(self) -> None:
        for log in self._find("MODULE_*", "model.log"):
            if not (log.with_name("model.done").exists() or list(log.parent.glob("*.lock"))):
                _delete(log)

    def _find(self, module: str, file: str) -> Iterator[Path]:
        with contextlib.suppress(OSError):  # another pod deletes, too
            yield from self._folder.glob(f"**/{module}/{file}")


def _delete(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()
        print(f"neuron-training: deleted {path}, which a compiler left behind", flush=True)


def _in_time(work: Callable[[], None]) -> None:
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(LONGEST_SECONDS)
