"""Sizes of models in the file are above 0: a plan divides by them."""

from __future__ import annotations

import re

import pytest

from neuron_cluster.config.checkpoints import PARAMETERS_PATTERN


@pytest.mark.parametrize("text", ["70.6B", "0.5B", "1T", "0.000001M", "405B"])
def test_a_number_of_parameters_has_a_unit(text: str) -> None:
    assert re.match(PARAMETERS_PATTERN, text)


@pytest.mark.parametrize("text", ["0B", "0.0M", "0.000000T", "-1B", "1e9", "70.6", "1.B", "007B"])
def test_no_parameters_and_other_notations_are_rejected(text: str) -> None:
    assert not re.match(PARAMETERS_PATTERN, text)
