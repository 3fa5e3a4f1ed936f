"""charts/neuron-training leaves no processes that its ranks start, and no zombies."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

FILES = Path(__file__).parents[3] / "charts" / "neuron-training" / "files"
RUN = """
import processes, subprocess, sys
processes.TICK_SECONDS = 0.01
processes.adopt_orphans()
trainer = subprocess.Popen([sys.executable, "-c", sys.argv[1]])
while (code := processes.wait(trainer, 0.02)) is None:
    pass
processes.end_others(float(sys.argv[2]))
print(code, processes.descendants(processes.os.getpid()))
"""
COMPILER = """
import pathlib, signal, sys
{handler}
print("ready", flush=True)
while True:
    signal.pause()
"""
GENTLE = "signal.signal(signal.SIGTERM, lambda *_: (pathlib.Path('ended').touch(), sys.exit()))"
STUBBORN = "signal.signal(signal.SIGTERM, signal.SIG_IGN)"
LEAVES_A_COMPILER = """
import subprocess, sys
compiler = subprocess.Popen([sys.executable, "-c", {compiler!r}], stdout=subprocess.PIPE, start_new_session=True)
compiler.stdout.readline()
"""
AWAITS_THE_END_OF_AN_ORPHAN = """
import os, pathlib, subprocess, sys, time
middle = "import subprocess; print(subprocess.Popen(['true']).pid, flush=True)"
orphan = subprocess.run([sys.executable, "-c", middle], capture_output=True, text=True).stdout.strip()
deadline = time.monotonic() + 20
while pathlib.Path("/proc", orphan).exists():
    if time.monotonic() > deadline:
        sys.exit(3)
    time.sleep(0.01)
"""


def run(folder: Path, trainer: str, patience: float = 20) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", RUN, trainer, str(patience)],
        env=os.environ | {"PYTHONPATH": str(FILES)},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(("handler", "patience", "files"), [(GENTLE, 20, ["ended"]), (STUBBORN, 0.1, [])])
def test_a_compiler_whose_rank_is_gone_is_ended_gently_at_first(
    tmp_path: Path, handler: str, patience: float, files: list[str]
) -> None:
    ended = run(tmp_path, LEAVES_A_COMPILER.format(compiler=COMPILER.format(handler=handler)), patience)
    assert ended.stdout.split(maxsplit=1) == ["0", "[]\n"], ended.stderr
    assert [path.name for path in tmp_path.iterdir()] == files


def test_an_orphan_that_has_ended_is_no_zombie(tmp_path: Path) -> None:
    """A trainer starts thousands of short processes; those of ended parents count against the pod's limit."""
    ended = run(tmp_path, AWAITS_THE_END_OF_AN_ORPHAN)
    assert ended.stdout.split(maxsplit=1) == ["0", "[]\n"], ended.stderr
