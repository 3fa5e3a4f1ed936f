"""In the place of srun, scancel and scontrol: passes the call on to the rehearsal, and ends with its answer."""

from __future__ import annotations

import json
import os
import sys
import uuid
from pathlib import Path

FOLDER = Path("/run/rehearsal-slurm")


def main() -> int:
    call = FOLDER / uuid.uuid4().hex
    fifo = call.with_suffix(".answer")
    os.mkfifo(fifo)
    # Both ends: the answer stays in the pipe, and the rehearsal need not wait.
    reading = os.open(fifo, os.O_RDWR)
    request = {
        "command": Path(sys.argv[0]).name,
        "arguments": sys.argv[1:],
        "environment": dict(os.environ),
    }
    call.with_suffix(".part").write_text(json.dumps(request), encoding="utf-8")
    call.with_suffix(".part").rename(call.with_suffix(".request"))
    with os.fdopen(reading, encoding="utf-8") as stream:
        status, message = json.loads(stream.readline())
    fifo.unlink()
    if message:
        print(message, file=sys.stderr)
    return int(status)


if __name__ == "__main__":
    sys.exit(main())
