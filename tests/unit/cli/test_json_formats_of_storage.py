"""The JSON of the actions of `storage` has every property that its schemas describe."""

from __future__ import annotations

from tests.json_outputs import FORMAT, accepted_mutations, unseen

from .conftest import Command

TRAINING = (
    *("--parameters", "70B", "--framework", "dcp", "--instance-type", "trn1.32xlarge", "--nodes", "32"),
    *("--region", "us-east-2"),
)


def test_every_property_of_a_size_is_printed(command: Command) -> None:
    found = command("storage", "size", *TRAINING, "--noncurrent-days", "3", *FORMAT).document
    assert unseen("storage size", [found]) == []
    assert accepted_mutations("storage size", found) == []


def test_every_property_of_a_simulation_is_printed(command: Command) -> None:
    found = command("storage", "simulate", *TRAINING, "--runs", "2", *FORMAT).document
    of_environment = command("storage", "simulate", "train-trn1", "--runs", "2", *FORMAT).document
    assert unseen("storage simulate", [found]) == []
    assert accepted_mutations("storage simulate", found) == []
    assert (found["environment"], found["worst_export_lag"]) == (None, None)
    assert of_environment["environment"] == "train-trn1"
    assert of_environment["worst_export_lag"] > 0
