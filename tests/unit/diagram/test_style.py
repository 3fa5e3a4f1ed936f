"""Colours of the picture, light and dark."""

from __future__ import annotations

import re

import pytest

from neuron_cluster.diagram.style import STYLE
from tests.contrast import contrast

TEXTS, BORDERS = ("ink", "dim"), ("edge", "group-edge", "data-edge", "team-edge", "mark")
AREAS, CARDS = ("paper", "region", "vpc", "zone", "subnet"), ("group", "data", "team", "plain")


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_texts_and_borders_have_enough_contrast(scheme: int) -> None:
    """4.5 for texts (WCAG 1.4.3), 3 for what one must see to read the picture (1.4.11)."""
    block = re.findall(r"\.picture\{([^}]+)\}", STYLE)[scheme]
    colours = dict(re.findall(r"--([\w-]+):(#[0-9a-f]+)", block))
    for text in TEXTS:
        for back in (*AREAS, *CARDS):
            assert contrast(colours[text], colours[back]) >= 4.5, (text, back)
    for border in BORDERS:
        for back in (*AREAS, *(card for card in CARDS if border.startswith(card))):
            assert contrast(colours[border], colours[back]) >= 3, (border, back)
    assert contrast(colours["mark"], colours["group"]) >= 3
    assert contrast(colours["edge"], colours["plain"]) >= 3
