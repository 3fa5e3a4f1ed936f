"""Paths with wildcards find what stands there, and say where."""

from __future__ import annotations

from local_kubernetes.model.fields import every_value, expand, inside

TREE = {"jobs": [{"name": "a"}, {"name": "b"}], "limits": {"cpu": 1, "aws.amazon.com/neuron": 2}, "none": None}


def test_a_star_stands_for_every_item_and_every_value() -> None:
    assert list(expand(TREE, "jobs.*.name")) == [("jobs[0].name", "a"), ("jobs[1].name", "b")]
    assert list(expand(TREE, "limits.*", "spec")) == [("spec.limits.cpu", 1), ("spec.limits[aws.amazon.com/neuron]", 2)]


def test_what_is_not_there_is_not_found() -> None:
    assert list(expand(TREE, "jobs.*.image")) == []
    assert list(expand(TREE, "jobs.name")) == []
    assert list(expand(None, "a.b")) == []


def test_nothing_is_a_value_too() -> None:
    assert list(expand(TREE, "none")) == [("none", None)]


def test_every_value_comes_after_what_holds_it() -> None:
    paths = [path for path, _ in every_value(TREE)]
    assert paths.index("jobs") < paths.index("jobs[1]") < paths.index("jobs[1].name")
    assert "limits[aws.amazon.com/neuron]" in paths


def test_a_path_begins_without_a_dot() -> None:
    assert inside("", "spec") == "spec"
    assert inside("spec", 0) == "spec[0]"
