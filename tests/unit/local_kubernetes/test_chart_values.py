"""Values of charts are read by dotted path, and merged as helm merges them."""

from __future__ import annotations

from typing import Any

import pytest

from local_kubernetes.model.chart_values import merged, value_at

VALUES = {"model": {"name": "llama", "args": ["a"]}, "replicas": 0, "empty": None}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("model.name", "llama"),
        ("replicas", 0),
        ("empty", None),
        ("model.size", None),
        ("replicas.count", None),
        ("model.args.0", None),
    ],
)
def test_a_dotted_path_goes_through_mappings_alone(path: str, value: Any) -> None:
    assert value_at(VALUES, path) == value


def test_mappings_are_merged_and_the_rest_is_replaced() -> None:
    above = {"model": {"args": ["b"]}, "replicas": {"count": 1}, "more": 1}
    assert merged(VALUES, above) == {
        "model": {"name": "llama", "args": ["b"]},
        "replicas": {"count": 1},
        "empty": None,
        "more": 1,
    }
    assert merged({"a": {"b": 1}}, {"a": 5}) == {"a": 5}
    assert VALUES["model"] == {"name": "llama", "args": ["a"]}
