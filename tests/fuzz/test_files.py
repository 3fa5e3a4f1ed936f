"""Environment files at random: findings, never a traceback, a hang or a control character."""

import pytest
from limits import run_fuzzer

MAX_MIB = 400


@pytest.mark.slow
def test_a_few_broken_files_give_findings() -> None:
    report = run_fuzzer("fuzz_files.py", seed=1, cases=60)
    assert (report["cases"], report["failures"]) == (60, [])
    assert report["peak_mib"] < MAX_MIB


@pytest.mark.exhaustive
def test_ten_thousand_broken_files_give_findings() -> None:
    report = run_fuzzer("fuzz_files.py", seed=2, cases=10_000)
    assert (report["cases"], report["failures"]) == (10_000, [])
    assert report["peak_mib"] < MAX_MIB
