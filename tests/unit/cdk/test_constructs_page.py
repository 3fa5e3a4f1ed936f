"""docs/constructs.md has every construct with the parameters and defaults of its code."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).parents[3] / "docs" / "constructs.md"
CONSTRUCTS = (
    "NeuronNetwork",
    "EfaSecurityGroup",
    "NeuronLaunchTemplate",
    "NeuronNodeGroup",
    "NeuronBucket",
    "LustreFileSystem",
)
"""In the order of the page."""
ROW = re.compile(r"^\| `(\w+)` \| (\*required\*|`[^`]+`) \| (.+) \|$", re.MULTILINE)


def section(name: str) -> str:
    """The text below the heading of a construct."""
    return PAGE.read_text("utf-8").split(f"\n## `{name}`\n")[1].split("\n## ")[0]


def test_every_export_is_a_construct_of_the_page_or_its_error(cdk: Any) -> None:
    from neuron_cluster import cdk as neuron

    assert set(neuron.__all__) == {*CONSTRUCTS, "InvalidParameters"}
    assert tuple(re.findall(r"^## `(\w+)`$", PAGE.read_text("utf-8"), re.MULTILINE)) == CONSTRUCTS


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_the_table_has_the_parameters_and_defaults_of_the_code(name: str, cdk: Any) -> None:
    from neuron_cluster import cdk as neuron

    parameters = list(inspect.signature(getattr(neuron, name).__init__).parameters.values())[3:]
    assert all(each.kind is inspect.Parameter.KEYWORD_ONLY for each in parameters)
    expected = [
        (each.name, "*required*" if each.default is inspect.Parameter.empty else f"`{each.default!r}`")
        for each in parameters
    ]
    assert [(row[1], row[2]) for row in ROW.finditer(section(name))] == expected
