"""The commands that stand in hints: whether each could be pasted, and would be understood."""

from __future__ import annotations

import argparse
import contextlib
import functools
import io
import json
import re
import shlex

import botocore.session
from botocore import xform_name

from neuron_cluster.cli.main import build_parser

PROGRAMS = ("neuron-cluster", "aws", "kubectl", "helm", "cdk", "npx", "make", "git")
GLOBAL_OPTIONS = {"endpoint-url", "region", "query", "output", "profile", "cli-pager"}
CUSTOM = {"eks update-kubeconfig", "ecr get-login-password", "s3 cp", "s3 ls", "s3 sync"}
"""Commands that the AWS CLI has in addition to the operations of the API."""
SHORTER = {
    f"ec2 {verb}-security-group-{way}": {"protocol", "port", "cidr", "source-group", "group-owner"}
    for verb in ("authorize", "revoke")
    for way in ("ingress", "egress")
}
"""Options that the AWS CLI has in addition to the parameters of an operation."""
OTHER_VERBS = {
    "kubectl": {"get", "describe", "delete", "logs", "apply", "config", "exec", "port-forward", "rollout", "version"},
    "helm": {
        "upgrade",
        "install",
        "uninstall",
        "list",
        "template",
        "lint",
        "show",
        "registry",
        "dependency",
        "package",
        "push",
    },
    "cdk": {"bootstrap", "deploy", "destroy", "diff", "ls", "list"},
    "make": {"setup", "lock"},
    "git": {"checkout", "clone", "diff", "log", "-C"},
}
SPAN = re.compile(r"`([^`]+)`")


def commands_in(text: str) -> list[str]:
    """Every code span that is a command, in the order of the text."""
    return [span for span in SPAN.findall(text) if span.split()[0] in PROGRAMS]


def command_error(command: str) -> str:
    """Why a shell or the program would not understand it; empty where it would."""
    return next(filter(None, map(_error_of_one, _commands_of_pipe(command.removeprefix("npx ")))), "")


def _commands_of_pipe(command: str) -> list[list[str]]:
    """The words of each command; a ``|`` in quotes is part of a word."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars="|")
    lexer.whitespace_split, lexer.commenters = True, ""
    commands: list[list[str]] = [[]]
    for word in lexer:
        if word == "|":
            commands.append([])
        else:
            commands[-1].append(word)
    return commands


def _error_of_one(command: list[str]) -> str:
    program, *arguments = command
    if program == "neuron-cluster":
        return _error_of_neuron_cluster(arguments)
    if program == "aws":
        return _error_of_aws_cli(arguments)
    return "" if arguments and arguments[0] in OTHER_VERBS[program] else f"{program} has no such verb"


def _error_of_neuron_cluster(arguments: list[str]) -> str:
    if "NAME" in arguments:
        return "NAME is in the place of a name"
    said = io.StringIO()
    try:
        with contextlib.redirect_stderr(said):
            options: argparse.Namespace = build_parser(next(iter(arguments), None)).parse_args(arguments)
    except SystemExit:
        return said.getvalue()
    return "" if callable(options.run) else "no verb"


def _error_of_aws_cli(arguments: list[str]) -> str:
    if " ".join(arguments[:2]) in CUSTOM:
        return ""
    service, operation, *rest = arguments
    if service == "s3":  # the API is `s3api`
        return f"s3 has no command {operation}"
    known = _operations(service)
    if operation not in known:
        return f"{service} has no operation {operation}"
    options = {word[2:].partition("=")[0] for word in rest if word.startswith("--")}
    if "--cli-input-json" in rest:
        place = rest.index("--cli-input-json")
        options.remove("cli-input-json")
        options |= {_spelt(name) for name in json.loads(rest[place + 1])}
    options = {name if name in known[operation] else name.removeprefix("no-") for name in options}
    unknown = options - known[operation].keys() - GLOBAL_OPTIONS - SHORTER.get(f"{service} {operation}", set())
    if unknown:
        return f"{operation} has no {', '.join(sorted(unknown))}"
    missing = {name for name, is_required in known[operation].items() if is_required} - options
    return f"{operation} lacks {', '.join(sorted(missing))}" if missing else ""


SERVICES = {"s3api": "s3"}
"""Services that the AWS CLI names otherwise than its SDK."""


@functools.cache
def _operations(service: str) -> dict[str, dict[str, bool]]:
    """Operations and their parameters, spelt as the AWS CLI spells them; and whether they are required."""
    model = botocore.session.get_session().get_service_model(SERVICES.get(service, service))
    found = {}
    for name in model.operation_names:
        shape = model.operation_model(name).input_shape
        members = shape.members if shape is not None else {}
        # The AWS CLI makes tokens of idempotency itself.
        required = set(shape.required_members) - set(model.operation_model(name).idempotent_members) if shape else set()
        found[_spelt(name)] = {_spelt(member): member in required for member in members}
    return found


def _spelt(name: str) -> str:
    return str(xform_name(name)).replace("_", "-")
