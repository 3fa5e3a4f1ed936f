"""Garbage in a process that is to be short: what is let go still goes, what lives at the end is not looked through."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
class Part:
    def __init__(self, name):
        self.name = name
    def __del__(self):
        print("collected", self.name)
{first}
let_go, in_a_cycle = Part("let go"), Part("in a cycle")
in_a_cycle.itself = in_a_cycle
del let_go, in_a_cycle
"""


@pytest.mark.parametrize(
    ("first", "printed"),
    [
        ("", ["collected let go", "collected in a cycle"]),
        ("from neuron_cluster.startup import collect_rarely; collect_rarely()", ["collected let go"]),
    ],
    ids=["any process", "short process"],
)
def test_the_end_of_a_short_process_looks_for_no_garbage(first: str, printed: list[str]) -> None:
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(first=first)], capture_output=True, text=True, check=True
    )
    assert run.stdout.splitlines() == printed


def test_a_process_that_stays_gives_garbage_back_while_it_runs() -> None:
    program = """
import gc
usual = gc.get_threshold()
from neuron_cluster.startup import restore_garbage_collection, collect_rarely
collect_rarely()
assert gc.get_threshold() != usual
restore_garbage_collection()
assert gc.get_threshold() == usual
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_a_postponed_module_is_imported_at_its_first_use() -> None:
    program = """
import sys
from neuron_cluster.startup import postpone_needless_modules
postpone_needless_modules()
import secrets
print("hmac" in sys.modules)
from secrets import token_hex
print(len(token_hex(8)), secrets.token_hex is token_hex, "hmac" in sys.modules)
import secrets
print(secrets.token_hex is token_hex)
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines() == ["False", "16 True True", "True"]
