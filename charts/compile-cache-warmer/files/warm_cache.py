"""Compiles the graphs of one model into the shared cache.

Runs in the image of the workload, with the standard library alone. Reads `graphs.json` (the chart's `graphs`) and takes
the graph whose place is JOB_COMPLETION_INDEX.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

SERVER = ["python3", "-m", "vllm.entrypoints.openai.api_server"]
PORT = int(os.environ.get("WARM_UP_PORT", "8000"))
POLL_SECONDS = 5.0
STOP_SECONDS = 120.0
VOLUME_SECONDS, VOLUME_POLL_SECONDS = 900.0, 15.0
"""How long a volume that takes no writes is waited for."""
PROBE_BYTES = 1 << 20
SYNC = ["aws", "s3", "sync", "--only-show-errors", "--exclude", "*.lock"]
USED = re.compile(r"Using a cached neff at (\S+)/model\.neff")
"""What the persistent cache logs of an entry that it reads: about-neuron/arch/neuron-features/neuron-caching.rst."""
# Its own process, because importing it loads the whole framework. Arguments: local cache, shared cache, entries.
PROMOTE = """
import sys
from libtorch_neuronx_lite.compile import save_cache
for entry in sys.argv[3:]:
    save_cache(sys.argv[1], sys.argv[2], entry)
"""
PROMOTER = [sys.executable, "-c", PROMOTE]


Result = TypeVar("Result")


class WarmUpFailed(Exception):
    """The graphs could not be compiled; the text says what to look at."""


def command_of(graph: Mapping[str, Any], models: str) -> list[str]:
    """The command line that compiles this graph; models is the folder of the weights."""
    arguments = [str(argument) for argument in graph["args"]]
    if graph["kind"] == "vllm":
        model = f"{models}/{graph['model']}" if graph.get("model") else models
        return [*SERVER, f"--model={model}", f"--port={PORT}", *arguments]
    if graph["kind"] == "parallel_compile":
        return ["neuron_parallel_compile", *arguments]
    return arguments


def run_to_end(command: Sequence[str]) -> list[Path]:
    """Runs a command that ends by itself; the entries that it read. WarmUpFailed when its exit code is not 0."""
    used: list[Path] = []
    output = subprocess.PIPE
    with subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, text=True, errors="replace") as process:
        try:
            for line in process.stdout or ():
                print(line, end="", flush=True)
                used += [Path(found) for found in USED.findall(line)]
            status = process.wait()
        finally:
            _stop(process)
    if status != 0:
        raise WarmUpFailed(f"{command[0]} ended with exit code {status}: its last lines above say why")
    return used


def mark(folders: Iterable[Path]) -> int:
    """Makes entries that are in use young for clean_cache.py, and counts them: volumes may not record reads."""
    marked = 0
    for folder in folders:
        try:
            os.utime(folder)
            marked += 1
        except OSError as problem:
            print(f"{folder} could not be marked as used: {problem}", file=sys.stderr)
    return marked


def run_until_warm(command: Sequence[str], port: int = PORT, poll_seconds: float = POLL_SECONDS) -> None:
    """Runs a server until it answers, which it does when all graphs are compiled, and stops it.

    A server that only compiles may also end by itself: exit code 0 counts as warm, any other is a WarmUpFailed.
    """
    server = subprocess.Popen(command)
    try:
        while (status := server.poll()) is None and not answers(port):
            time.sleep(poll_seconds)
    finally:
        _stop(server)
    if status not in (None, 0):
        raise WarmUpFailed(f"the server ended with exit code {status} before it was warm: its last lines say why")


def answers(port: int) -> bool:
    """Whether a server on this machine says that it is healthy."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/health")
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _stop(server: subprocess.Popen[Any]) -> None:
    if server.poll() is not None:
        return
    server.send_signal(signal.SIGTERM)
    try:
        server.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


def entries(cache: Path) -> set[str]:
    """Names of the entries of a vLLM Neuron cache: one folder for each graph."""
    return {folder.name for folder in cache.iterdir() if folder.is_dir()} if cache.is_dir() else set()


def promote(local: Path, shared: Path, promoter: Sequence[str]) -> list[str]:
    """Copies entries that the shared cache lacks and gives their names. WarmUpFailed when one does not arrive."""
    missing = sorted(entries(local) - entries(shared))
    shared.mkdir(parents=True, exist_ok=True)
    if missing:
        run_to_end([*promoter, str(local), str(shared), *missing])
    if lost := sorted(set(missing) - entries(shared)):
        raise WarmUpFailed(f"{len(lost)} compiled graphs are not in {shared}: {', '.join(lost[:3])}")
    return missing


def once_writable(folder: Path, work: Callable[[], Result]) -> Result:
    """Does the work, and once more when the volume was full or away: hours of compiling are not lost by that.

    WarmUpFailed when the volume takes no writes for VOLUME_SECONDS.
    """
    try:
        return work()
    except (OSError, WarmUpFailed) as problem:
        if not (why := volume_problem(folder)):
            raise
        print(f"{problem}\n{folder} takes no writes ({why}): it is waited for", file=sys.stderr, flush=True)
    deadline = time.monotonic() + VOLUME_SECONDS
    while why := volume_problem(folder):
        if time.monotonic() > deadline:
            raise WarmUpFailed(f"{folder} took no writes for {VOLUME_SECONDS / 60:.0f} minutes: {why}")
        time.sleep(VOLUME_POLL_SECONDS)
    return work()


def volume_problem(folder: Path) -> str:
    """Why the volume takes no writes now; empty when it does, and where no wait helps."""
    probe = folder / f".warmer-{os.environ.get('HOSTNAME', '')}-{os.getpid()}"
    try:
        probe.write_bytes(bytes(PROBE_BYTES))
    except PermissionError:
        return ""
    except OSError as problem:
        return str(problem.strerror)
    finally:
        with contextlib.suppress(OSError):
            probe.unlink(missing_ok=True)
    return ""


def compiled_apart(command: Sequence[str], local: Path, shared: str) -> str:
    """Compiles on the node's disk, and copies what did not fail, also after a failure: hours of compiling are kept."""
    try:
        run_to_end(command)
    finally:
        failed = delete_failed(local)
        if local.is_dir():
            run_to_end([*SYNC, str(local), shared])
    return f"in {shared}, {failed} failed entries left out"


def delete_failed(cache: Path) -> int:
    """Deletes entries of the persistent cache with a log and no graph, and counts them: they fail for every reader."""
    failed = [log.parent for log in cache.glob("**/MODULE_*/model.log") if not (log.parent / "model.neff").exists()]
    for folder in failed:
        shutil.rmtree(folder)
    return len(failed)


def warm(graph: Mapping[str, Any], environment: Mapping[str, str]) -> str:
    """Compiles one graph, puts the result where workloads look for it, and says where. WarmUpFailed otherwise."""
    command = command_of(graph, environment.get("MODELS", "/models"))
    print(f"{graph['name']}: {' '.join(command)}", flush=True)
    if graph["kind"] != "vllm":
        url = environment["NEURON_COMPILE_CACHE_URL"]  # Written in place, S3 included.
        if url.startswith("s3://"):
            run_to_end(command)
            return f"in {url}"
        if shared := environment.get("CACHE_URL"):
            return compiled_apart(command, Path(url), shared)
        marked = mark(sorted(set(once_writable(Path(url), lambda: run_to_end(command)))))
        return f"in {url}, {marked} entries marked as used"
    run_until_warm(command)
    local = Path(environment["VLLM_CACHE_ROOT"]) / "neuron" / "compile_cache"
    if url := environment.get("CACHE_URL"):
        if not entries(local):
            raise WarmUpFailed(f"no compiled graph in {local}")
        run_to_end([*SYNC, str(local), url])
        return f"{len(entries(local))} entries, in {url}"
    shared = Path(environment["NEURON_LIBTORCH_REMOTE_CACHE"])
    added = once_writable(Path(environment["NEURON_COMPILE_CACHE_URL"]), lambda: promote(local, shared, PROMOTER))
    if not entries(shared):
        raise WarmUpFailed(f"no compiled graph in {local} nor in {shared}")
    marked = mark(shared / name for name in sorted(entries(local) & entries(shared)))
    return f"{len(entries(shared))} entries in {shared}, {len(added)} of them promoted now, {marked} marked as used"


def main(path: str) -> int:
    """Warms the graph of this pod; exit code 1 and a sentence when it fails."""
    # The first process of a container ignores SIGTERM unless it says otherwise.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    graphs = json.loads(Path(path).read_text(encoding="utf-8"))
    graph = graphs[int(os.environ["JOB_COMPLETION_INDEX"])]
    try:
        print(f"{graph['name']}: {warm(graph, os.environ)}")
    except (OSError, WarmUpFailed) as failure:
        print(f"{graph['name']}: {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
