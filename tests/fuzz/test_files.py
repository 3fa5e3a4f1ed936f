"""Environment files at random: findings, never a traceback, a hang or a control character."""

import pytest
from fuzz_files import failures_of
from limits import run_fuzzer

MAX_MIB = 400


@pytest.mark.slow
def test_a_few_broken_files_give_findings() -> None:
    assert failures_of(seed=1, cases=60) == []


@pytest.mark.exhaustive
def test_ten_thousand_broken_files_give_findings() -> None:
    report = run_fuzzer("fuzz_files.py", seed=2, cases=10_000)
    assert (report["cases"], report["failures"]) == (10_000, [])
    assert report["peak_mib"] < MAX_MIB
