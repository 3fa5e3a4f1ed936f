"""A signal ends a command once, with its own status, and what it cleans up is not cut short by further ones."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

COMMAND = """
import signal, sys, time
from neuron_cluster.cli import main, validate

def work(options):
    try:
        print("working", flush=True)
        time.sleep(600)
    finally:
        for _ in range(5):
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGTERM)
        print("cleaned", flush=True)

validate.run = work
status = main.main(["validate"])
for _ in range(5):
    signal.raise_signal(signal.SIGINT)
sys.exit(status)
"""


@pytest.mark.parametrize(
    ("number", "status"),
    [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGQUIT, 131)],
)
def test_further_signals_change_neither_the_status_nor_the_cleaning(number: signal.Signals, status: int) -> None:
    """Six times Ctrl-C ended with -2."""
    with subprocess.Popen([sys.executable, "-c", COMMAND], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as ran:
        assert ran.stdout is not None
        assert ran.stderr is not None
        assert ran.stdout.readline() == b"working\n"
        ran.send_signal(number)
        assert ran.stdout.read() == b"cleaned\n"
        assert ran.stderr.read() == b"interrupted\n"
    assert ran.returncode == status
