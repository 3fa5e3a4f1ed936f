"""Carries out commands of hints: those of the AWS CLI with boto3, since the CLI is no part of the checkout."""

from __future__ import annotations

import json
import shlex
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import jmespath
from botocore import xform_name
from hint_commands import SERVICES, commands_in

from neuron_cluster.aws.session import Target, client
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.deploy.node import cdk_script, compile_cache, node_binary

NOT_OF_THE_API = ("--region", "--endpoint-url", "--query", "--output")
NUMBERS = {"integer": int, "long": int, "double": float, "float": float}
MENDS = ("cdk bootstrap", "aws service-quotas request-service-quota-increase", "aws iam create-role")
"""Commands that set up an account that was never used; other commands of hints only show its state."""


def mending_commands(text: str) -> list[str]:
    """Returns the commands in hints that change the account, each once."""
    return list(dict.fromkeys(each for each in commands_in(text) if each.startswith(MENDS)))


def run_hinted(command: str, project: Path, destination: Destination) -> None:
    """Carries out a command of `aws` or `cdk`. Raises what boto3 raises, CalledProcessError with what CDK wrote."""
    if command.startswith("aws "):
        run_aws(command, destination.target)
    else:
        run_cdk(command, project, destination)


def run_cdk(command: str, project: Path, destination: Destination) -> None:
    """``cdk bootstrap …`` by the pinned CDK command in the folder of the project, whose ``cdk.json`` names an app."""
    program, *arguments = shlex.split(command)
    if program != "cdk":
        raise ValueError(f"{command!r} is no command of CDK")
    variables = {**destination.child_environment(), "NODE_COMPILE_CACHE": str(compile_cache(project))}
    with tempfile.TemporaryDirectory() as home:
        subprocess.run(
            [str(node_binary()), str(cdk_script(project)), *arguments, "--no-notices", "--no-color"],
            cwd=project,
            env={**variables, "HOME": home},
            check=True,
            capture_output=True,
        )


def run_aws(command: str, target: Target) -> Any:
    """The answer of ``aws SERVICE OPERATION --option value …``, with its ``--query``. Raises what boto3 raises."""
    program, service, operation, *arguments = shlex.split(command)
    if program != "aws":
        raise ValueError(f"{command!r} is no command of the AWS CLI")
    given = _options(arguments)
    if given.get("--region", [target.region]) != [target.region]:
        raise ValueError(f"{command!r} is for another Region than {target.region}")
    asked = client(target, SERVICES.get(service, service))
    model = asked.meta.service_model
    name = next(each for each in model.operation_names if xform_name(each, "-") == operation)
    members = model.operation_model(name).input_shape.members if model.operation_model(name).input_shape else {}
    by_option = {f"--{xform_name(member, '-')}": member for member in members}
    parameters = {
        by_option[option]: _value(members[by_option[option]], values)
        for option, values in given.items()
        if option not in NOT_OF_THE_API
    }
    answer = getattr(asked, xform_name(name))(**parameters)
    return jmespath.search(given["--query"][0], answer) if "--query" in given else answer


def _options(arguments: list[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for word in arguments:
        if word.startswith("--"):
            option = found.setdefault(word, [])
        else:
            option.append(word)
    return found


def _value(shape: Any, values: list[str]) -> Any:
    if shape.type_name == "list" and values[0].startswith("["):
        return json.loads(values[0])
    if shape.type_name == "list":
        return [_structure(shape.member, each) if shape.member.type_name == "structure" else each for each in values]
    if shape.type_name == "boolean":  # an option has no value, a member of a structure has one
        return values in ([], ["true"])
    (word,) = values
    if shape.type_name == "structure":
        return json.loads(word) if word.startswith("{") else _structure(shape, word)
    return NUMBERS.get(shape.type_name, str)(word)


def _structure(shape: Any, word: str) -> dict[str, Any]:
    """The short form of a structure: ``Name=instance-type,Values=trn1.2xlarge``; ``minSize=0,maxSize=2``."""
    found: dict[str, Any] = {}
    name = ""
    for part in word.split(","):
        key, has_value, value = part.partition("=")
        name, text = (key, value) if has_value else (name, part)
        if shape.members[name].type_name == "list":
            found.setdefault(name, []).append(text)
        else:
            found[name] = _value(shape.members[name], [text])
    return found
