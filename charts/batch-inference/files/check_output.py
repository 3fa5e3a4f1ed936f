"""Whether every shard has its results: exit code 0, or 1 with what is missing. The program of `helm test`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from batch_plan import read_plan
from batch_store import MANIFEST, open_store, part_name

SHOWN = 10


def main() -> int:
    store = open_store(read_plan(Path(sys.argv[1])))
    try:
        names = store.names()
        shards = json.loads(store.read(MANIFEST))["shards"] if MANIFEST in names else None
    except (OSError, subprocess.CalledProcessError) as failure:
        print(f"{store.where} cannot be read: {failure}", file=sys.stderr)
        return 1
    if shards is None:
        print(f"{store.where} has no {MANIFEST}: no pod has read the input yet", file=sys.stderr)
        return 1
    missing = [part_name(each) for each in range(shards) if part_name(each) not in names]
    if missing:
        more = f" and {len(missing) - SHOWN} more" if len(missing) > SHOWN else ""
        print(f"{len(missing)} of {shards} are missing: {', '.join(missing[:SHOWN])}{more}", file=sys.stderr)
        return 1
    print(f"all {shards} parts are in {store.where}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
