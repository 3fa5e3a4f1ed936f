"""The helm test: writes, reads and removes a file in each folder that the job must be able to write."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def main() -> int:
    for folder in map(Path, sys.argv[1:]):
        probe = folder / f".storage-check-{os.environ['HOSTNAME']}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            probe.write_text("written")
            print(f"{folder}: {probe.read_text()}")
            probe.unlink()
        except OSError as problem:
            print(f"{folder} cannot be used by user {os.getuid()}: {problem}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
