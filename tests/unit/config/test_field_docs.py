"""Descriptions of fields of the model, in words."""

from __future__ import annotations

import json

import jsonschema
import pytest
import yaml

from neuron_cluster.config.editor_schema import editor_schema
from neuron_cluster.config.field_docs import example_yaml, field_doc, pattern_paths
from neuron_cluster.config.fields import walk_fields
from tests.every_case import every_case

SCHEMA = json.loads(editor_schema())
every_field = every_case("path", pattern_paths().values())


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("account", "exactly twelve digits"),
        ("lifecycle", "one of: ephemeral, durable"),
        ("eks.node_groups[].count.max", "a whole number from 1 to 10000"),
        ("storage.checkpoints.stall_seconds", "a number above 0, at most 1000000"),
        ("storage.checkpoints.interval_minutes", "a number above 0, at most 1000000 or auto"),
        ("eks.node_groups[].capacity.kind", "one of: on_demand, spot, reservation, capacity_block, ultraserver_block"),
        ("eks.node_groups[].node_repair", "true or false"),
        ("eks.node_groups[].logical_nc_config", "one of: 1, 2"),
        ("eks.node_groups[].taints[].value", "text, at most 63 characters"),
        ("eks.node_groups[].taints[].key", "text, 1 to 63 characters"),
        (
            "eks.endpoint.public_access_cidrs",
            "a list, each item an IPv4 address range such as 10.20.0.0/16, or 203.0.113.7/32 for a single address",
        ),
        ("tags", "a mapping of keys of your own to text"),
        ("eks.chart_values", "a mapping of names of your own, each to a mapping of keys and values"),
        ("storage", "a mapping of these keys"),
    ],
)
def test_allowed_values_are_said_in_words(path: str, allowed: str) -> None:
    doc = field_doc(path)
    assert doc is not None
    assert doc.allowed == allowed


@pytest.mark.parametrize(
    ("path", "default", "is_derived"),
    [
        ("network.nat", "single", False),
        ("eks.node_groups[].efa", "efa if the instance type supports EFA, else off", True),
        ("eks.node_groups[].capacity", "{kind: on_demand}", False),
        ("storage.lustre.sync", "none", False),
        ("eks.node_groups[].taints[].value", '""', False),
        ("eks.node_groups[].team", "none", False),
        ("eks.version", "", False),
    ],
)
def test_a_default_is_a_value_or_the_way_it_is_derived(path: str, default: str, is_derived: bool) -> None:
    doc = field_doc(path)
    assert doc is not None
    assert (doc.default, doc.is_derived, doc.is_required) == (default, is_derived, default == "")


@every_field
def test_every_field_has_meaning_allowed_values_and_a_default_unless_required(path: str) -> None:
    doc = field_doc(path)
    assert doc is not None
    assert doc.meaning.endswith(".")
    assert doc.allowed
    assert bool(doc.default) != doc.is_required
    assert "Default:" not in doc.meaning + doc.about
    assert "^" not in doc.allowed, "a pattern is no words"


@every_field
def test_every_example_is_yaml_that_the_schema_accepts_at_its_place(path: str) -> None:
    doc = field_doc(path)
    assert doc is not None
    tree = yaml.safe_load(example_yaml(doc.path, doc.example))
    errors = jsonschema.Draft202012Validator(SCHEMA).iter_errors(tree)
    assert [error.message for error in errors if error.validator not in ("required", "oneOf")] == []
    for part in path.replace("[]", ".0").split("."):
        tree = tree[int(part) if part == "0" else part]
    assert tree == doc.example


def test_the_fields_below_a_section_are_those_of_the_model() -> None:
    below = [path for path, _ in walk_fields() if path.startswith("eks.node_groups[].") and path.count(".") == 2]
    doc = field_doc("eks.node_groups")
    assert doc is not None
    assert list(doc.keys) == below


@pytest.mark.parametrize("path", ["", "eks.", ".eks", "eks..version", "eks.nothing", "eks.version.major", "$defs"])
def test_what_is_no_field_has_no_words(path: str) -> None:
    assert field_doc(path) is None
