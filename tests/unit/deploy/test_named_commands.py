"""Commands in hints can be run as they are."""

from __future__ import annotations

import argparse

import pytest

from neuron_cluster.cli.open_environment import open_environment
from neuron_cluster.deploy.named_commands import named_commands
from neuron_cluster.findings.finding import Finding, Location

from .conftest import PROJECT


@pytest.mark.parametrize(("is_local", "command"), [(True, "destroy --local dev-inf2"), (False, "destroy dev-inf2")])
def test_a_command_names_the_environment_and_the_aws_that_was_asked(is_local: bool, command: str) -> None:
    opened = open_environment(argparse.Namespace(environment="dev-inf2", project=str(PROJECT), local=is_local))
    finding = Finding("E9004", Location("dev-inf2-cluster"), "no", "1. `neuron-cluster destroy NAME`; 2. deploy")
    (named,) = named_commands([finding], opened, {}, is_local=is_local)
    assert named.hint == f"1. `neuron-cluster {command}`; 2. deploy"


@pytest.mark.parametrize(
    ("key", "path"),
    [
        (("eks", "node_groups", "inf2"), "eks.node_groups[1]"),
        (("eks", "node_groups", "removed"), "eks.node_groups"),
        (("storage", "homes", "removed"), "storage.homes"),
        (("eks", "version"), "eks.version"),
    ],
)
def test_a_finding_is_at_its_item_and_at_the_list_of_one_that_is_gone(key: tuple[str, ...], path: str) -> None:
    opened = open_environment(argparse.Namespace(environment="dev-inf2", project=str(PROJECT), local=True))
    finding = Finding("E9004", Location("dev-inf2-nodes", path="Group"), "no", "deploy")
    (named,) = named_commands([finding], opened, {("dev-inf2-nodes", "Group", "E9004"): key}, is_local=True)
    assert named.location.path == path
