"""Tab in zsh and in fish, with the scripts of ``neuron-cluster completion``. Bash has its tests in tests/unit/cli."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.system_tests import needs_program

PROJECT = Path(__file__).parents[2]
SECONDS = 20
"""Within which a shell answers, on a loaded machine."""

pytestmark = [pytest.mark.system, pytest.mark.slow]
needs_zsh = needs_program("zsh")
needs_fish = needs_program("fish")

COMPLETED = [
    ("offb", "offboard"),
    ("workload rend", "render"),
    ("plan --as", "--as-of"),
    ("plan --format js", "json"),
    ("plan --format=js", "json"),
    ("catalog inst", "instances"),
    ("plan serve-i", "serve-inf1"),
    ("validate train-trn1 serve-i", "serve-inf1"),
    ("workload render --nodes 2 collectives-check serve-i", "serve-inf1"),
    ("workload render neuron-serv", "neuron-serving"),
    ("workload rehearse --fault pod neuron-serv", "neuron-serving"),
    ("plan environments/serve-i", "environments/serve-inf1.yaml"),
    ("diff train-trn1 --against environments/serve-i", "environments/serve-inf1.yaml"),
    ("diff train-trn1 --against pyproj", "pyproject.toml"),
]
"""Text typed after `neuron-cluster`, and the only word that it can become."""


def script(shell: str) -> str:
    arguments = [sys.executable, "-m", "neuron_cluster.cli.main", "completion", shell]
    return subprocess.run(arguments, cwd=PROJECT, capture_output=True, text=True, check=True).stdout


@needs_fish
def test_fish(tmp_path: Path) -> None:
    file = tmp_path / "neuron-cluster.fish"
    file.write_text(script("fish"), encoding="utf-8")
    asked = "".join(f"complete -C 'neuron-cluster {typed}'; echo; " for typed, _ in COMPLETED)
    ran = subprocess.run(
        ["fish", "--no-config", "-c", f"source {file}; {asked}"],
        cwd=PROJECT, env={**os.environ, "HOME": str(tmp_path)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    offered = [line.partition("\t")[0] for line in ran.stdout.splitlines() if line]
    assert offered == [f"--format={word}" if "=" in typed else word for typed, word in COMPLETED]


@pytest.fixture
def zsh(tmp_path: Path) -> Iterator[int]:
    """The terminal of a zsh that has found the script in its ``fpath``."""
    (tmp_path / "_neuron-cluster").write_text(script("zsh"), encoding="utf-8")
    (tmp_path / ".zshrc").write_text(
        "PS1='ready> '; fpath+=($ZDOTDIR); autoload -U compinit; compinit -u -D\n", encoding="utf-8"
    )
    terminal, inside = pty.openpty()
    with subprocess.Popen(
        ["zsh", "-d", "-i"],
        cwd=PROJECT, env={**os.environ, "ZDOTDIR": str(tmp_path), "TERM": "dumb"},
        stdin=inside, stdout=inside, stderr=inside, start_new_session=True,
    ) as shell:  # fmt: skip
        os.close(inside)
        printed(terminal, "ready> ")
        yield terminal
        shell.kill()
    os.close(terminal)


@needs_zsh
def test_zsh(zsh: int) -> None:
    for typed, word in COMPLETED:
        os.write(zsh, f"neuron-cluster {typed}\t".encode())
        printed(zsh, word)
        os.write(zsh, b"\x15")  # Ctrl-U: an empty line


def printed(terminal: int, text: str) -> None:
    """Reads until the terminal shows the text. Fails after ``SECONDS`` without output."""
    shown = ""
    while text not in shown.replace("\b", ""):
        assert select.select([terminal], [], [], SECONDS)[0], f"no {text!r} in {shown!r}"
        shown += os.read(terminal, 65_536).decode(errors="replace")
