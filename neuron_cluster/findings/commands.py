"""The commands that hints refer to. A hint holds the general form; ``render`` puts in what is known of the environment.

What finds a mistake knows no file name and no AWS to ask, so it writes ``Command.DESTROY``; who prints knows them.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import TypeVar


class Command(enum.StrEnum):
    """In the form that documentation shows."""

    LOCK = "neuron-cluster lock NAME"
    DIFF = "neuron-cluster diff NAME"
    DRIFT = "neuron-cluster drift NAME"
    DESTROY = "neuron-cluster destroy NAME"
    DESTROY_WITH_DATA = "neuron-cluster destroy NAME --delete-data NAME"
    DEPLOY_NEW = "neuron-cluster deploy FILE --new-environment NAME"
    DEPLOY_WITH_DELETION = "neuron-cluster deploy NAME --accept-deletion NAME"
    IMAGES = "neuron-cluster images NAME --commands"
    IMAGE_BUILD = "neuron-cluster image build NAME"
    CAPACITY_OFFERS = "neuron-cluster capacity offers NAME"
    CDK_DEPLOY = "npx cdk deploy -c environment=NAME"
    CDK_DIFF = "npx cdk diff -c environment=NAME"


Text = TypeVar("Text", bound=str)


def render(hint: str, commands: Mapping[Text, str]) -> str:
    """The hint with each of the ``commands`` in the form that can be run as it is."""
    for command in sorted(commands, key=len, reverse=True):  # one begins with another
        hint = hint.replace(command, commands[command])
    return hint


def of_file(argument: str, *, is_local: bool) -> dict[Command, str]:
    """Returns the commands of an environment file, as a command is given it: those known without a call to AWS."""
    local = " --local" if is_local else ""
    return {
        Command.LOCK: f"neuron-cluster lock{local} {argument}",
        Command.DIFF: f"neuron-cluster diff{local} {argument}",
        Command.DRIFT: f"neuron-cluster drift{local} {argument}",
        Command.IMAGES: f"neuron-cluster images{local} {argument} --commands",
        Command.IMAGE_BUILD: f"neuron-cluster image build{local} {argument}",
        Command.CAPACITY_OFFERS: f"neuron-cluster capacity offers{local} {argument}",
    }


def of_environment(
    argument: str, name: str, *, name_for_app: str, is_local: bool, has_packages: bool = True
) -> dict[Command, str]:
    """Returns the commands of an environment that is deployed, or compared with it. ``name_for_app`` is for plain CDK.

    ``has_packages``: whether npm's packages of the project have the CDK command; a repository of `init` has none.
    """
    cdk = "npx cdk" if has_packages else "cdk"
    local = " --local" if is_local else ""
    destroy = f"neuron-cluster destroy{local} {argument}"
    return {
        **of_file(argument, is_local=is_local),
        Command.DESTROY: destroy,
        Command.DESTROY_WITH_DATA: f"{destroy} --delete-data {name}",
        Command.DEPLOY_NEW: f"neuron-cluster deploy {argument} --new-environment {name}",
        Command.DEPLOY_WITH_DELETION: f"neuron-cluster deploy{local} {argument} --accept-deletion {name}",
        Command.CDK_DEPLOY: f"{cdk} deploy -c environment={name_for_app}",
        Command.CDK_DIFF: f"{cdk} diff -c environment={name_for_app}",
    }
