"""The expansion of a file with its bases: what it looks like, and that it means the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from merged_text import merged_text

from neuron_cluster.config.bases import read_with_bases
from neuron_cluster.config.document import read_document
from neuron_cluster.config.expansion import WIDTH, expanded_text, expanded_values
from neuron_cluster.config.scalars import typed

ENVIRONMENTS = sorted((Path(__file__).parents[3] / "environments").glob("*.yaml"))
LONG = f"description: {'long ' * 20}end\n"
ODD = """\
tags:
  "a: b": 'x # y'
  c: "{d}"
  e: |
    two
    lines
  f: "\\u2028\\x07"
  "null": null
  g: a (b) @c
  h: ""
  "<<": "- x"
eks:
  chart_values:
    kueue: {a: -1, b: "true", c: true, d: [[1, []], {}], e: ~, f: "~", g: +1.5e3, h: .5, i: -x, j: null}
"""


def expanded(folder: Path, text: str) -> tuple[str, object, object]:
    """The expansion of a text, its tree, and the tree of the expansion."""
    path = folder / "small.yaml"
    path.write_text(text, encoding="utf-8")
    read = read_with_bases(path, "environments/small.yaml")
    made = expanded_text(read)
    again = read_document(made, "again.yaml")
    assert again.findings == []
    return made, read.document.tree, again.tree


@pytest.mark.parametrize("path", ENVIRONMENTS, ids=lambda path: path.stem)
def test_a_file_without_a_base_expands_to_itself(path: Path, tmp_path: Path) -> None:
    made, tree, again = expanded(tmp_path, merged_text(path))
    assert again == tree
    assert typed(again) == typed(tree)
    assert [line for line in made.splitlines() if len(line) > WIDTH and "  # " in line] == []  # a KMS ARN is longer
    columns = {line.index("  # ") for line in made.splitlines() if "  # small.yaml:" in line.lstrip()}
    assert len(columns) == 1, "a comment above a long line is at the indent of that line"


def test_odd_texts_stay_the_same_values(tmp_path: Path) -> None:
    made, tree, again = expanded(tmp_path, ODD + LONG)
    assert again == tree
    assert typed(again) == typed(tree)
    lines = made.splitlines()
    long = next(number for number, line in enumerate(lines) if line.startswith("description:"))
    assert lines[long - 1] == "# small.yaml:15", "the comment is above a line that it does not fit"


def test_every_value_has_its_file_line_and_column(tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text("tags: {a: b, c: d}\nworkstations:\n  - {name: x, dlami: y}\n")
    path = tmp_path / "small.yaml"
    path.write_text("extends: base.yaml\nname: small\ntags: {a: e, c: null}\nworkstations:\n  - {name: x, efa: off}\n")
    read = read_with_bases(path, "small.yaml")
    assert [(each.path, each.value, each.file, each.line, each.column) for each in expanded_values(read)] == [
        ("name", "small", "small.yaml", 2, 1),
        ("tags.a", "e", "small.yaml", 3, 8),
        ("workstations[0].name", "x", "small.yaml", 5, 6),
        ("workstations[0].dlami", "y", "base.yaml", 3, 15),
        ("workstations[0].efa", "off", "small.yaml", 5, 15),
    ]
    assert expanded_text(read).splitlines() == [
        "# yaml-language-server: $schema=environment.schema.json",
        "# removed: tags.c  small.yaml:3",
        "name: small   # small.yaml:2",
        "tags:",
        "  a: e        # small.yaml:3",
        "workstations:",
        "  - name: x   # small.yaml:5",
        "    dlami: y  # base.yaml:3",
        "    efa: off  # small.yaml:5",
    ]


def test_keys_that_a_base_removes_are_at_the_top_until_a_file_sets_them(tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text("tags: {a: b, c: d}\nworkstations:\n  - {name: x, dlami: y, efa: off}\n")
    middle = "extends: base.yaml\ntags: {a: null, c: null}\nworkstations:\n  - {name: x, dlami: null}\n"
    (tmp_path / "middle.yaml").write_text(middle)
    path = tmp_path / "small.yaml"
    for own, removed in (
        ("tags: {a: e}\n", ["tags.c  middle.yaml:2", "workstations[0].dlami  middle.yaml:4"]),
        ("workstations: []\n", ["tags.a  middle.yaml:2", "tags.c  middle.yaml:2"]),
        ("tags: null\nworkstations: [{name: x, dlami: z}]\n", ["tags  small.yaml:2"]),
    ):
        path.write_text(f"extends: middle.yaml\n{own}")
        text = expanded_text(read_with_bases(path, "small.yaml"))
        assert [line.removeprefix("# removed: ") for line in text.splitlines() if "removed" in line] == removed
