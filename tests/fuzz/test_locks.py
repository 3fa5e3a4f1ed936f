"""Locks at random, forged ones with a right checksum: findings, never a traceback, and no forged AMI is deployed."""

import pytest
from fuzz_locks import failures_of
from limits import run_fuzzer

MAX_MIB = 500


@pytest.mark.slow
def test_a_few_broken_and_forged_locks_are_found() -> None:
    assert failures_of(seed=1, cases=8) == []


@pytest.mark.exhaustive
def test_ten_thousand_broken_and_forged_locks_are_found() -> None:
    report = run_fuzzer("fuzz_locks.py", seed=2, cases=10_000)
    assert (report["cases"], report["failures"]) == (10_000, [])
    assert report["peak_mib"] < MAX_MIB
