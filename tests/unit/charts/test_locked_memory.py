"""charts/collectives-check prints how much memory a container may lock, and says what to do where it is too little."""

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

FILES = Path(__file__).parents[3] / "charts" / "collectives-check" / "files"
sys.path.insert(0, str(FILES))

from collectives_report import UnreadableOutput
from locked_memory import EFA_ENDPOINT_BYTES, advice, locked_memory_line
from run_check import why_not_run

EIGHT_MIB = 8 * 1024 * 1024


@pytest.mark.parametrize(
    ("limit", "text"), [(EIGHT_MIB, "8192 KiB"), (resource.RLIM_INFINITY, "unlimited"), (65536, "64 KiB")]
)
def test_the_line_says_the_limit_as_ulimit_does(limit: int, text: str):
    assert locked_memory_line(limit) == f"RLIMIT_MEMLOCK (ulimit -l): {text}"


@pytest.mark.parametrize("limit", [resource.RLIM_INFINITY, EFA_ENDPOINT_BYTES, 2**50])
def test_nothing_is_advised_where_an_endpoint_fits(limit: int):
    assert advice(limit) == ""


def test_a_failure_says_what_to_do_where_no_endpoint_fits():
    failure = UnreadableOutput("nccom-test all_reduce ended with exit code 1")
    assert why_not_run(failure, EIGHT_MIB).startswith(f"{failure}\nThis container may lock 8192 KiB of memory")
    assert why_not_run(failure, resource.RLIM_INFINITY) == str(failure)


def test_each_pod_prints_the_limit_of_its_own_process_before_anything_else(plan_file: Path):
    command = ["bash", "-c", f"ulimit -S -l 64 && exec {sys.executable} {FILES / 'run_check.py'} {plan_file}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={"PATH": os.environ["PATH"]})
    assert done.stdout == "RLIMIT_MEMLOCK (ulimit -l): 64 KiB\n"
