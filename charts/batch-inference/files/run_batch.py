"""Answers the requests of a file with a server of its own, shard by shard, and begins where the last attempt stopped.

Arguments: plan.json, then the command of the server. Exit codes: 0 all shards of this pod are there; 10 too many
requests failed; 11 the input or the output cannot be used; 12 the server or the storage failed; 143 the pod was told to
stop.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from batch_input import InvalidBatch, Line, Manifest, manifest_of, read_shard, require_same
from batch_patience import patiently
from batch_plan import BatchPlan, read_plan
from batch_requests import has_no_answer, is_failed, result_of
from batch_server import Server, ServerEnded, Stop
from batch_store import MANIFEST, Store, open_store, part_name

TOO_MANY_FAILED, INVALID, BROKEN, STOPPED = 10, 11, 12, 143
TOLD = "the pod was told to stop"


def main() -> int:
    plan, stop = read_plan(Path(sys.argv[1])), Stop()
    signal.signal(signal.SIGTERM, lambda *_: stop.set(TOLD))
    try:
        return run(plan, sys.argv[2:], int(os.environ.get("JOB_COMPLETION_INDEX", "0")), stop)
    except InvalidBatch as reason:
        print(f"batch-inference cannot start: {reason}", file=sys.stderr, flush=True)
        return INVALID
    except subprocess.CalledProcessError as failure:
        print(f"{' '.join(failure.cmd)} failed: {failure.stderr}", file=sys.stderr, flush=True)
    except (ServerEnded, OSError) as failure:
        print(f"batch-inference stopped: {failure}", file=sys.stderr, flush=True)
    return STOPPED if stop.reason == TOLD else BROKEN


def run(plan: BatchPlan, command: list[str], pod: int, stop: Stop) -> int:
    store = open_store(plan)
    source = patiently(store.fetch_input, stop)
    manifest = patiently(lambda: manifest_of(source, plan.lines_per_shard), stop)
    names = patiently(store.names, stop)
    patiently(lambda: keep_manifest(store, names, manifest), stop)
    shards = [each for each in range(manifest.shards) if each % plan.pods == pod]
    missing = [each for each in shards if part_name(each) not in names]
    print(f"{manifest.lines} lines in {manifest.shards} shards; of {len(shards)} here {len(missing)} are missing")
    if not missing:
        return 0
    failed = total = 0
    with Server(command, plan.port) as server:
        # Requests that run when the pod is told to stop get so long; then the server ends, and they with it.
        threading.Thread(target=_end_later, args=(server, plan.stop_seconds, stop), daemon=True).start()
        server.await_health(plan.startup_seconds, stop)
        for shard in missing:
            lines = patiently(lambda number=shard: list(read_shard(source, number, plan.lines_per_shard)), stop)
            results = run_shard(plan, store, server, shard, lines, stop)
            failed += sum(map(is_failed, results))
            total += len(results)
            print(f"{part_name(shard)}: {len(results)} results; {failed} of {total} failed so far", flush=True)
    return verdict(failed, total, plan.max_failed_percent)


def verdict(failed: int, total: int, allowed: float) -> int:
    if failed * 100 <= allowed * total:
        return 0
    print(f"{failed} of {total} requests failed, and batch.maxFailedPercent is {allowed:g}", file=sys.stderr)
    return TOO_MANY_FAILED


def keep_manifest(store: Store, names: set[str], manifest: Manifest) -> None:
    if MANIFEST in names:
        require_same(store.read(MANIFEST), manifest, store.where)
    else:
        store.write(MANIFEST, manifest.as_json())


def run_shard(
    plan: BatchPlan, store: Store, server: Server, shard: int, lines: list[Line], stop: Stop
) -> list[Mapping[str, Any]]:
    """All results of a shard, in the order of its lines. Raises ``ServerEnded`` where some are missing."""
    partial = patiently(lambda: store.partial(shard), stop)
    results = patiently(lambda: kept_results(partial), stop)
    rest = [line for line in lines if line.id not in results]
    with ThreadPoolExecutor(plan.concurrency) as senders:
        sent = [senders.submit(result_of, line, plan, server, stop) for line in rest]
        for answer in as_completed(sent):
            result = answer.result()
            if result is not None:
                results[str(result["id"])] = result
                patiently(lambda kept=result: append(partial, kept), stop)
    if stop.is_set:
        store.keep_partial(shard)
        raise ServerEnded(f"{stop.reason}; {part_name(shard)} has {len(results)} of {len(lines)} results")
    ordered = [results[line.id] for line in lines]
    text = "".join(json.dumps(each) + "\n" for each in ordered)
    patiently(lambda: store.finish(shard, text), stop)
    return ordered


def _end_later(server: Server, seconds: float, stop: Stop) -> None:
    stop.event.wait()
    time.sleep(seconds)
    server.terminate()


def append(partial: Path, result: Mapping[str, Any]) -> None:
    """On a line of its own, also after one that is not whole: the node went away, or the volume was full."""
    with partial.open("ab+") as target:
        if target.tell():
            target.seek(-1, os.SEEK_END)
            if target.read(1) != b"\n":
                target.write(b"\n")
        target.write(json.dumps(result).encode() + b"\n")


def kept_results(partial: Path) -> dict[str, Mapping[str, Any]]:
    """Of an attempt before this one. A line that is not whole has no result; what got no answer is sent again."""
    found: dict[str, Mapping[str, Any]] = {}
    if not partial.exists():
        return found
    for line in partial.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            result = json.loads(line)
        except json.JSONDecodeError:
            continue
        if isinstance(result, dict) and "id" in result and not has_no_answer(result):
            found[result["id"]] = result
    return found


if __name__ == "__main__":
    sys.exit(main())
