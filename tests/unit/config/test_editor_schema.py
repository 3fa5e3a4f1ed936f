"""The JSON schema for editors says what the model says."""

import json
from pathlib import Path

import jsonschema
import pytest
import yaml
from merged_text import merged_text
from write_editor_schema import partial_schema_text, schema_text

from neuron_cluster.config.fields import walk_fields

ENVIRONMENTS = Path(__file__).parents[3] / "environments"
SCHEMA = json.loads(schema_text())
PARTIAL = json.loads(partial_schema_text())
TWO_REGIONS = Path(__file__).parents[2] / "fixtures" / "two_regions" / "environments"
GROUP = {"name": "a", "count": {"max": 1}}
BOX = {"name": "a", "instance_type": "trn1.2xlarge", "dlami": "multi_framework_ubuntu_24_04"}


def test_the_file_is_fresh():
    """`python tools/write_editor_schema.py` writes it."""
    assert (ENVIRONMENTS / "environment.schema.json").read_text() == schema_text()
    assert (ENVIRONMENTS / "partial.schema.json").read_text() == partial_schema_text()


@pytest.mark.parametrize("path", sorted(ENVIRONMENTS.glob("*.yaml")), ids=lambda p: p.stem)
def test_an_editor_accepts_the_shipped_environments(path: Path):
    """As editors read YAML: with numbers and booleans guessed. Merged, where the file extends a base."""
    jsonschema.Draft202012Validator(SCHEMA).validate(yaml.safe_load(merged_text(path)))


@pytest.mark.parametrize(
    "path",
    sorted([*ENVIRONMENTS.glob("*.yaml"), *ENVIRONMENTS.glob("bases/*.yaml"), *TWO_REGIONS.rglob("*.yaml")]),
    ids=lambda p: p.stem,
)
def test_an_editor_accepts_bases_and_files_that_extend_one(path: Path):
    jsonschema.Draft202012Validator(PARTIAL).validate(yaml.safe_load(path.read_text()))


def test_the_schemas_are_schemas():
    for schema in (SCHEMA, PARTIAL):
        jsonschema.Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize(
    ("tree", "is_accepted"),
    [
        ({"extends": "a.yaml", "storage": None, "tags": {"a": "b"}}, True),
        ({"workstations": [{"name": "a", "capacity": {"reservation_id": "cr-0123456789abcdef0"}}]}, True),
        ({"eks": {"node_groups": [{"name": "a", "count": {"max": 1}}]}}, True),
        ({"extends": "/a.yaml"}, False),
        ({"regoin": "us-west-2"}, False),
        ({"workstations": [{"name": "a", "capacity": {"kind": "spott"}}]}, False),
        ({"eks": {"node_groups": [{"instance_type": "trn1.32xlarg"}]}}, False),
    ],
)
def test_in_a_base_every_key_may_be_absent_and_none_misspelt(tree: dict, is_accepted: bool):
    assert jsonschema.Draft202012Validator(PARTIAL).is_valid(tree) is is_accepted
    assert not jsonschema.Draft202012Validator(SCHEMA).is_valid(tree)


@pytest.mark.parametrize(
    ("edit", "name"),
    [
        ({"region": "us-eats-2"}, "us-east-2"),
        ({"neuron": {"sdk": "2.99.0"}}, "2.32.0"),
        ({"neuron": {"sdk": "2.32.0", "frameworks": ["torch"]}}, "jax"),
        ({"workstations": [BOX | {"dlami": "multi_framework"}]}, "multi_framework_ubuntu_24_04"),
        ({"workstations": [BOX | {"virtual_environment": "jaxx"}]}, "jax_0_10"),
        ({"eks": {"version": "1.35", "node_groups": [], "chart_values": {"kueeu": {}}}}, "kueue"),
        ({"eks": {"version": "1.35", "node_groups": [GROUP | {"instance_type": "trn1.32xlarg"}]}}, "trn1.32xlarge"),
    ],
)
def test_an_editor_offers_the_names_of_the_catalog_and_no_others(edit: dict, name: str):
    tree = yaml.safe_load((ENVIRONMENTS / "dev-inf2.yaml").read_text()) | edit
    (error,) = jsonschema.Draft202012Validator(SCHEMA).iter_errors(tree)
    assert error.validator == "enum"
    assert name in error.validator_value


@pytest.mark.parametrize(
    "edit",
    [{"regoin": "x"}, {"name": "../x"}, {"network": {"cidr": "10.0.0.0/16"}}, {"storage": None}],
)
def test_an_editor_refuses_what_the_loader_refuses(edit: dict):
    tree = yaml.safe_load((ENVIRONMENTS / "dev-inf2.yaml").read_text()) | edit
    assert list(jsonschema.Draft202012Validator(SCHEMA).iter_errors(tree))


def test_every_field_says_what_it_means_and_scalars_give_an_example():
    """The schema, the error messages and `explain` stand on these texts."""
    silent = [path for path, field in walk_fields() if not field.description]
    assert silent == []


def test_every_required_value_has_an_example_to_read_on_with():
    """`shape` puts it in the place of what cannot be read."""
    from neuron_cluster.config.fields import models_in

    lacking = [
        path
        for path, field in walk_fields()
        if field.is_required() and not field.examples and not models_in(field.annotation) and not field.metadata
    ]
    assert lacking == []
