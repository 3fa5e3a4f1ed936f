"""docs/architecture.md and its drawing are what imports, docstrings and the stack table say now."""

from __future__ import annotations

import functools
from xml.etree import ElementTree as ET

import pytest
from architecture_drawing import GLYPH, WIDTH
from package_graph import packages
from write_architecture_page import DRAWING, FILES_TO_READ, PAGE, PROJECT, STEPS, document, picture

from neuron_cluster.plan.stack_table import stack_keys

kept_picture = functools.cache(picture)
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def drawn() -> ET.Element:
    return ET.fromstring(kept_picture())  # noqa: S314 - our own


def test_the_page_and_its_drawing_are_fresh() -> None:
    assert PAGE.read_text(encoding="utf-8") == document(), "run python tools/write_architecture_page.py"
    assert DRAWING.read_text(encoding="utf-8") == kept_picture(), "run python tools/write_architecture_page.py"


def test_the_page_begins_with_twelve_files_that_exist() -> None:
    assert document().index("## Read these twelve files first") == document().index("\n## ") + 1
    assert len(FILES_TO_READ) == 12
    assert [path for path in FILES_TO_READ if not (PROJECT / path).is_file()] == []


def test_every_package_has_a_purpose() -> None:
    assert [package.name for package in packages().values() if not package.purpose] == []


def test_the_drawing_names_every_step_and_every_stack(drawn: ET.Element) -> None:
    titles = [text.text for text in drawn.iter(f"{SVG}text") if text.get("class") == "name"]
    assert titles[: len(STEPS)] == [step.package for step in STEPS]
    assert sorted(titles[len(STEPS) :]) == sorted(stack_keys())


def test_no_text_leaves_its_box(drawn: ET.Element) -> None:
    boxes = [
        tuple(int(box.attrib[key]) for key in ("x", "y", "width", "height"))
        for box in drawn.iter(f"{SVG}rect")
        if box.get("x")
    ]
    for text in drawn.iter(f"{SVG}text"):
        x, y = int(text.attrib["x"]), int(text.attrib["y"])
        ends = [
            left + width for left, top, width, height in boxes if left <= x < left + width and top <= y < top + height
        ]
        if text.get("class") in (None, "small"):
            assert x + len(text.text or "") * GLYPH <= min(ends, default=WIDTH), text.text
