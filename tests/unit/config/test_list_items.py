"""A broken item of a list, in whichever list of the model, is one finding and hides nothing."""

import typing
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.config import validation
from neuron_cluster.config.document import read_document
from neuron_cluster.config.fields import fields_at, walk_fields
from neuron_cluster.config.source_map import KeyPath, SourceMap, format_path
from neuron_cluster.config.validation import Validated, validate_tree
from tests.every_case import every_case

SHIPPED = Path(__file__).parents[3] / "environments" / "train-trn1.yaml"
ELSEWHERE = ("E0013", "account")


def lists_of_the_model() -> list[str]:
    def is_list(annotation: Any) -> bool:
        return typing.get_origin(annotation) is list or any(map(is_list, typing.get_args(annotation)))

    return [path for path, field in walk_fields() if is_list(field.annotation)]


def example_at(pattern: str) -> Any:
    *around, key = pattern.replace("[]", "").split(".")
    field = fields_at(tuple(around))[key]
    below = {"name": "one", "instance_type": "m7i.large", "key": "team", "effect": "no_schedule"}
    return [*field.examples[0]] if field.examples else [below]


def tree_with_items(pattern: str, items: list[Any]) -> tuple[dict[str, Any], KeyPath]:
    """The shipped environment with these items in a list, with a mistake elsewhere; and where the list stands."""
    tree: Any = read_document(SHIPPED.read_text(), "e.yaml").tree
    tree["account"] = "none"
    node, where = tree, ()
    *around, key = pattern.split(".")
    for section in around:
        node = node.setdefault(section.removesuffix("[]"), [{}] if section.endswith("[]") else {})
        where = (*where, section.removesuffix("[]"))
        if section.endswith("[]"):
            node, where = node[0], (*where, 0)
    node[key] = items
    return tree, (*where, key)


def found(shaped: Validated) -> list[tuple[str, str]]:
    return [(f.id, f.location.path) for f in shaped.findings]


@every_case(
    "pattern, broken",
    [
        pytest.param(pattern, broken, id=f"{pattern}-{broken}")
        for pattern in lists_of_the_model()
        for broken in (["a list"], [[]], "\0no value of any field", {})
    ],
)
def test_a_broken_item_is_found_once_and_hides_nothing(pattern: str, broken: Any):
    items = [*example_at(pattern), broken]
    tree, where = tree_with_items(pattern, items)
    shaped = validate_tree(tree, SourceMap("e.yaml"))
    place = format_path((*where, len(items) - 1))
    at_item = [path for _, path in found(shaped) if path.startswith(place)]
    # An empty mapping among mappings lacks each of its required keys: those are findings, each at its own key.
    assert len(at_item) == len(set(at_item)) >= 1, found(shaped)
    assert broken == {} or at_item == [place]
    assert ELSEWHERE in found(shaped)
    assert shaped.config is not None


def test_a_repair_that_cannot_be_read_is_never_spoken_of(monkeypatch: pytest.MonkeyPatch):
    """Should a field lack its example all the same, what holds it is replaced instead."""
    examples = validation.example_at
    monkeypatch.setattr(validation, "example_at", lambda path: {} if "admins" in path else examples(path))
    tree, _ = tree_with_items("eks.access.admins", ["foo", "bar"])
    shaped = validate_tree(tree, SourceMap("e.yaml"))
    assert found(shaped) == [ELSEWHERE, ("E0013", "eks.access.admins[0]"), ("E0013", "eks.access.admins[1]")]
    assert shaped.config is not None
