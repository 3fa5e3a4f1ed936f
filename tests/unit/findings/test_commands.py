"""Commands in hints: written in one place, rendered in one place."""

from __future__ import annotations

from pathlib import Path

import pytest

import neuron_cluster
from neuron_cluster.findings.commands import Command, of_environment, of_file, render

ROOT = Path(neuron_cluster.__path__[0])
DOCUMENTATION = ("finding_specs.py", "findings/commands.py")
"""Pages show the general form and render nothing."""


@pytest.mark.parametrize(("is_local", "destroy"), [(True, "destroy --local a.yaml"), (False, "destroy a.yaml")])
def test_a_command_that_begins_with_another_one_is_rendered_as_itself(is_local: bool, destroy: str) -> None:
    commands = of_environment("a.yaml", "train", name_for_app="./a.yaml", is_local=is_local)
    hint = render(f"{Command.DESTROY_WITH_DATA}, {Command.DESTROY}", commands)
    assert hint == f"neuron-cluster {destroy} --delete-data train, neuron-cluster {destroy}"


def test_plain_cdk_is_given_the_name_that_it_takes() -> None:
    commands = of_environment("a.yaml", "train", name_for_app="./a.yaml", is_local=False)
    hint = render(f"{Command.CDK_DEPLOY} --exclusively x, {Command.CDK_DIFF} x", commands)
    assert hint == "npx cdk deploy -c environment=./a.yaml --exclusively x, npx cdk diff -c environment=./a.yaml x"


def test_what_is_not_known_keeps_its_general_form() -> None:
    hint = f"`{Command.LOCK}`, then `{Command.DESTROY}`"
    assert (
        render(hint, of_file("train", is_local=False))
        == "`neuron-cluster lock train`, then `neuron-cluster destroy NAME`"
    )


def test_no_other_module_writes_such_a_command_by_hand() -> None:
    files = [file for file in ROOT.rglob("*.py") if not str(file).endswith(DOCUMENTATION)]
    found = [
        f"{file.relative_to(ROOT)}: {command}"
        for file in files
        for command in Command
        if command in file.read_text(encoding="utf-8")
    ]
    assert found == []


def test_a_project_without_packages_of_npm_has_the_installed_cdk_command() -> None:
    commands = of_environment("a.yaml", "train", name_for_app="train", is_local=False, has_packages=False)
    assert commands[Command.CDK_DEPLOY] == "cdk deploy -c environment=train"
    assert commands[Command.CDK_DIFF] == "cdk diff -c environment=train"
