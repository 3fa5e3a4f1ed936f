"""Measures the budgets in plain seconds: what contributors and new users wait for.

    python benchmarks/suites.py [test-fast] [test] [demo] [local]

Ten minutes and more for all of them; nothing else should run. The seconds are meant for the machine of ADR 5: the start
of a small Python process, before and after, tells how much longer all takes here, and both figures are printed. Exits 1
when a budget is exceeded or a suite fails.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[1]
YARDSTICK = [sys.executable, "-c", "import pydantic, yaml"]
YARDSTICK_SECONDS = 0.068
"""Minimum of twelve processes on the machine of ADR 5."""
LOCAL_AWS_MIB = 600


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def times_as_long() -> float:
    """How much longer this machine takes than that of ADR 5, at its best."""
    return min(timed(lambda: subprocess.run(YARDSTICK, check=True)) for _ in range(12)) / YARDSTICK_SECONDS


def make(target: str) -> None:
    """Exits with the last that make said when it fails."""
    command = ["make", "-C", str(ROOT), target]
    ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if ran.returncode != 0:
        sys.exit("\n".join([*ran.stdout.splitlines()[-20:], f"make {target} failed"]))


def local_aws() -> None:
    """``neuron-cluster local`` until it listens. Exits when it takes too much memory by then."""
    command = [sys.executable, "-m", "neuron_cluster.cli.main", "local", "--port", "0", "--project", str(ROOT)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
        if not next(iter(server.stdout or ()), b""):
            sys.exit("the local AWS did not start")
        words = Path(f"/proc/{server.pid}/status").read_text(encoding="utf-8").split()
        server.terminate()
    mib = int(words[words.index("VmHWM:") + 1]) / 1024
    if mib > LOCAL_AWS_MIB:
        sys.exit(f"OVER  {mib:.0f} MiB of {LOCAL_AWS_MIB}: the local AWS that listens")


SUITES: dict[str, tuple[float, Callable[[], None]]] = {
    "test-fast": (60, lambda: make("test-fast")),
    "test": (240, lambda: make("test")),
    "demo": (60, lambda: make("demo")),
    "local": (3, local_aws),
}
"""Budgets in seconds."""


def is_held(name: str) -> bool:
    budget, run = SUITES[name]
    before = times_as_long()
    seconds = timed(run)
    factor = (before + times_as_long()) / 2
    verdict = "ok  " if seconds / factor <= budget else "OVER"
    print(
        f"{verdict} {seconds / factor:6.1f} s of {budget:3.0f} s: {name} ({seconds:.1f} s here, {factor:.2f} times)",
        flush=True,
    )
    return seconds / factor <= budget


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suites", nargs="*", metavar="SUITE", help=f"of {', '.join(SUITES)} (default: all)")
    wanted = parser.parse_args().suites or [*SUITES]
    if unknown := [name for name in wanted if name not in SUITES]:
        parser.error(f"no suite is called {', '.join(unknown)}; there are {', '.join(SUITES)}")
    held = [is_held(name) for name in wanted]
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
