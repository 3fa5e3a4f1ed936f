"""A file that is split into files that extend each other, at random, expands to what it was."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from repair import checked, shipped
from yaml_text import Tree, yaml_of

from neuron_cluster.config.bases import FileWithBases, read_with_bases
from neuron_cluster.config.environment_config import EXTENDS
from neuron_cluster.config.expansion import expanded_text
from neuron_cluster.config.fields import holds_chart_values, kinds_with
from neuron_cluster.config.source_map import KeyPath

EXAMPLES = settings(max_examples=60, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
OTHER, REMOVED = "other", "zz-removed"
"""A value, and a key, that only the base has."""


@st.composite
def split(draw: st.DrawFn, tree: Tree, path: KeyPath = ()) -> tuple[Tree, Tree]:
    """A base, and the keys that must be written over it so that both are ``tree``."""
    base: Tree = {}
    own: Tree = {}
    for key, value in tree.items():
        where = draw(st.sampled_from(("base", "own", "both")))
        if where == "base":
            base[key] = value
        elif where == "own":
            own[key] = value
        else:
            base[key], own[key] = draw(_both(value, (*path, key)))
    if not holds_chart_values((*path, REMOVED)) and draw(st.booleans()):
        gone = REMOVED * (1 + sum(key.startswith(REMOVED) for key in tree))  # the tree may be such a base itself
        base[gone], own[gone] = draw(st.sampled_from((OTHER, {OTHER: OTHER}, [OTHER]))), "null"
    return base, own


@st.composite
def _both(draw: st.DrawFn, value: Any, path: KeyPath) -> tuple[Any, Any]:
    """A value of the base, and one that makes ``value`` of it."""
    if isinstance(value, dict):
        if "kind" in value and kinds_with(path, "kind") and draw(st.booleans()):
            return {"kind": OTHER, OTHER: OTHER}, value
        base, own = draw(split(value, path))
        return base, own
    if isinstance(value, list) and value and all(isinstance(item, dict) and "name" in item for item in value):
        return draw(_named(value, path))
    return draw(st.sampled_from((OTHER, [OTHER, OTHER], {OTHER: OTHER}, [], value))), value


@st.composite
def _named(draw: st.DrawFn, items: list[Tree], path: KeyPath) -> tuple[list[Tree], list[Tree]]:
    """The base has the first items, whole or in part; the others are new."""
    count = draw(st.integers(1, len(items)))
    base, own = [], []
    for position, item in enumerate(items[:count]):
        below, over = draw(split(item, (*path, position)))
        is_whole = draw(st.booleans()) and count < len(items)
        base.append(item if is_whole else {**below, "name": item["name"]})
        own += [] if is_whole else [{**over, "name": item["name"]}]
    return base, draw(st.permutations(own)) + items[count:]


def read(folder: Path, *layers: Tree) -> FileWithBases:
    """The environment file first, then its base, and so on."""
    for number, layer in enumerate(layers):
        above = {EXTENDS: f"layer{number + 1}.yaml"} if number < len(layers) - 1 else {}
        (folder / f"layer{number}.yaml").write_text(yaml_of(above | layer), encoding="utf-8")
    return read_with_bases(folder / "layer0.yaml", "layer0.yaml")


def without_extends(found: FileWithBases) -> Tree:
    assert found.document.findings == []
    return {key: value for key, value in found.document.tree.items() if key != EXTENDS}


@EXAMPLES
@given(st.data())
def test_a_split_file_expands_to_what_it_was(data: st.DataObject) -> None:
    tree = data.draw(st.sampled_from(shipped()))
    middle, own = data.draw(split(tree))
    base, over = data.draw(split(middle))
    with tempfile.TemporaryDirectory() as folder:
        found = read(Path(folder), own, over, base)
        assert without_extends(found) == tree
        text = expanded_text(found)
        (Path(folder) / "alone.yaml").write_text(text, encoding="utf-8")
        assert without_extends(read_with_bases(Path(folder) / "alone.yaml", "alone.yaml")) == tree


@settings(EXAMPLES, max_examples=8)
@given(st.data())
def test_the_expansion_has_the_plan_of_the_file(data: st.DataObject) -> None:
    tree = data.draw(st.sampled_from(shipped()))
    base, own = data.draw(split(tree))
    with tempfile.TemporaryDirectory() as folder:
        plan = checked(expanded_text(read(Path(folder), own, base))).plan
    assert plan is not None
    assert plan == checked(yaml_of(tree)).plan
