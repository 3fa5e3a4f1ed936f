"""A child and its children end with the block, whatever ends it."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from neuron_cluster.deploy.child_process import child_process

FAMILY = """
import os, signal, subprocess, sys
if sys.argv[2] == "stubborn":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
print(child.pid, flush=True)
open(sys.argv[1], "w").write("ready")
child.wait()
"""


def is_there(pid: int) -> bool:
    """Whether the process runs; one that has ended and waits for its parent does not."""
    stat = Path(f"/proc/{pid}/stat")
    return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] != "Z"


def start_and_end(folder: Path, kind: str, error: BaseException) -> tuple[int, int]:
    """Ids of a parent and its child, after an error has ended the block around them."""
    fifo, log = folder / "ready", folder / "log"
    os.mkfifo(fifo)
    with log.open("w+b") as stream:
        arguments = [sys.executable, "-c", FAMILY, fifo, kind]
        parents: list[int] = []

        def interrupted_work() -> None:
            with child_process(arguments, cwd=folder, environment=os.environ, log=stream) as parent:
                parents.append(parent.pid)
                assert fifo.read_text() == "ready"
                raise error

        with pytest.raises(type(error)):
            interrupted_work()
    return parents[0], int(log.read_text())


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks at /proc")
def test_no_process_is_left_after_an_interruption(tmp_path: Path) -> None:
    parent, child = start_and_end(tmp_path, "obedient", KeyboardInterrupt())
    assert not is_there(parent)
    assert not is_there(child)


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks at /proc")
def test_a_process_that_ignores_the_polite_signal_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("neuron_cluster.deploy.child_process.TIME_TO_END_SECONDS", 0.2)
    parent, child = start_and_end(tmp_path, "stubborn", ValueError())
    assert not is_there(parent)
    assert not is_there(child)


CALLER = """
import os, pathlib, signal, sys
from neuron_cluster.deploy.child_process import child_process
child = "import os, sys, time; open(sys.argv[1], 'w').write(str(os.getpid())); time.sleep(600)"
with open(os.devnull, "wb") as log:
    arguments = [sys.executable, "-c", child, sys.argv[1]]
    with child_process(arguments, cwd=pathlib.Path("/"), environment=os.environ, log=log) as started:
        started.wait()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's own way")
def test_a_killed_command_takes_its_child_with_it(tmp_path: Path) -> None:
    """SIGKILL runs no code of ours."""
    fifo = tmp_path / "ready"
    os.mkfifo(fifo)
    caller = subprocess.Popen([sys.executable, "-c", CALLER, fifo], cwd=Path(__file__).parents[3])
    child = int(fifo.read_text())
    watched = os.pidfd_open(child)
    caller.kill()
    caller.wait()
    ended, _, _ = select.select([watched], [], [], 30)
    os.close(watched)
    assert ended, "the child outlived its parent"


def test_the_callers_signal_handlers_are_put_back(tmp_path: Path) -> None:
    before = signal.getsignal(signal.SIGINT)
    with (
        (tmp_path / "log").open("wb") as log,
        child_process([sys.executable, "-c", ""], cwd=tmp_path, environment=os.environ, log=log) as child,
    ):
        assert signal.getsignal(signal.SIGINT) is before
        child.wait()
    assert signal.getsignal(signal.SIGINT) is before


def test_output_goes_to_the_log(tmp_path: Path) -> None:
    with (tmp_path / "log").open("w+b") as log:
        arguments = [sys.executable, "-c", "import sys; print('out', flush=True); print('err', file=sys.stderr)"]
        with child_process(arguments, cwd=tmp_path, environment=os.environ, log=log) as child:
            assert child.wait() == 0
    assert (tmp_path / "log").read_text() == "out\nerr\n"
