"""Command lines at random: a documented exit status and a message, never a traceback, a hang or a control character."""

import argparse

import pytest
from fuzz_command_lines import ODD_WORDS, REAL_WORDS
from limits import run_fuzzer

from neuron_cluster.cli.arguments import an_account

MAX_MIB = 300


@pytest.mark.parametrize("word", [*ODD_WORDS, *REAL_WORDS])
def test_no_word_is_an_account_without_which_init_and_new_write_nothing(word: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError):
        an_account(word)


@pytest.mark.slow
def test_a_few_hostile_command_lines_end_with_a_message() -> None:
    report = run_fuzzer("fuzz_command_lines.py", seed=1, cases=100)
    assert (report["cases"], report["failures"]) == (100, [])
    assert report["peak_mib"] < MAX_MIB


@pytest.mark.exhaustive
def test_ten_thousand_hostile_command_lines_end_with_a_message() -> None:
    report = run_fuzzer("fuzz_command_lines.py", seed=2, cases=10_000)
    assert (report["cases"], report["failures"]) == (10_000, [])
    assert report["peak_mib"] < MAX_MIB
