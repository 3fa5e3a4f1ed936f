"""The JSON schema for editors says what the model says."""

import json
from pathlib import Path

import jsonschema
import pytest
import yaml
from write_editor_schema import schema_text

from neuron_cluster.config.fields import walk_fields

ENVIRONMENTS = Path(__file__).parents[3] / "environments"
SCHEMA = json.loads(schema_text())
GROUP = {"name": "a", "count": {"max": 1}}
BOX = {"name": "a", "instance_type": "trn1.2xlarge", "dlami": "multi_framework_ubuntu_24_04"}


def test_the_file_is_fresh():
    """`python tools/write_editor_schema.py` writes it."""
    assert (ENVIRONMENTS / "environment.schema.json").read_text() == schema_text()


@pytest.mark.parametrize("path", sorted(ENVIRONMENTS.glob("*.yaml")), ids=lambda p: p.stem)
def test_an_editor_accepts_the_shipped_environments(path: Path):
    """As editors read YAML: with numbers and booleans guessed."""
    jsonschema.Draft202012Validator(SCHEMA).validate(yaml.safe_load(path.read_text()))


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
