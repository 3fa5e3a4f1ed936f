"""Asking before something is built or deleted."""

from __future__ import annotations

import io

import pytest

from neuron_cluster.cli.confirmation import confirm
from neuron_cluster.errors import ToolkitError


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("answer", ["yes\n", "train-trn1\n", "  yes  \n"])
def test_yes_or_the_name_goes_on(answer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", Terminal(answer))
    confirm("Deploy?", "train-trn1")


@pytest.mark.parametrize("answer", ["", "\n", "y\n", "no\n", "train-trn\n"])
def test_anything_else_changes_nothing(answer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", Terminal(answer))
    with pytest.raises(ToolkitError, match="nothing was changed"):
        confirm("Deploy?", "train-trn1")


def test_without_a_terminal_the_option_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("yes\n"))
    with pytest.raises(ToolkitError) as caught:
        confirm("Deploy?", "train-trn1")
    assert "--yes" in caught.value.hint


def test_a_closed_standard_input_is_no_terminal_either(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(ToolkitError, match="not a terminal"):
        confirm("Deploy?", "train-trn1")
