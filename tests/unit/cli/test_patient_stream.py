"""A command that changes something ends its work when its reader goes."""

from __future__ import annotations

import os
import sys

import pytest

from neuron_cluster.cli.patient_stream import outliving_the_reader


def test_what_is_written_after_the_reader_has_gone_is_dropped_with_a_word(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w", encoding="utf-8") as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        with outliving_the_reader("deploy"):
            for _ in range(3):
                sys.stdout.write("CREATE_IN_PROGRESS\n")
                sys.stdout.flush()
        assert sys.stdout is stream
        sys.stdout.write("and at the end\n")
        sys.stdout.flush()
    assert capsys.readouterr().err.count("Standard output was closed. The deploy continues") == 1
