"""The rules of cdk-preflight over templates, as its plugin for CDK evaluates them, without a synthesis.

The package is made for Node.js and comes in an archive, as does the engine of its rules, which aws-cdk-lib has.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import tarfile
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from neuron_cluster.deploy.node import node_binary

SCRIPT = Path(__file__).with_name("preflight_rules.js")
RULES, ENGINE = "package/lib/", "package/node_modules/@aws/cloudformation-validate/"
SECONDS = 600


class Deployed(Struct, frozen=True):
    """A template, and where it is deployed: some rules compare the ARNs in it with the account and the Region."""

    template: Mapping[str, Any]
    region: str
    account: str


class Rule(Struct, frozen=True, rename="camel"):
    id: str
    service: str
    title: str
    resource_types: list[str]
    rego: str
    """Its source."""


class Violation(Struct, frozen=True, order=True):
    """A violation that a rule finds in one of the templates."""

    stack: str
    rule: str
    resource: str
    message: str


class Evaluated(Struct, frozen=True):
    rules: list[Rule]
    violations: list[Violation]


def evaluate(stacks: Mapping[str, Deployed]) -> Evaluated:
    """Every bundled rule over every template, by a name of each: the engine starts once for each Region and account."""
    with tempfile.TemporaryDirectory() as folder:
        modules = Path(folder) / "node_modules"
        _unpack("cdk_preflight", "cdk-preflight", RULES, modules / "cdk-preflight")
        _unpack("aws_cdk", "aws-cdk-lib", ENGINE, modules / "aws-cdk-lib")
        for package in modules.iterdir():  # only the engine of aws-cdk-lib is asked for
            (package / "package.json").write_text("{}", encoding="utf-8")
            (package / "index.js").touch()
        paths = {str(Path(folder) / f"{number}.json"): name for number, name in enumerate(stacks)}
        return _run(modules, stacks, paths)


def _unpack(package: str, archive: str, wanted: str, target: Path) -> None:
    installed = importlib.util.find_spec(package)  # an import would start a process of jsii
    if installed is None or installed.origin is None:
        raise ModuleNotFoundError(f"{package} is not installed: run `make setup`")
    (found,) = (Path(installed.origin).parent / "_jsii").glob(f"{archive}@*.tgz")
    with tarfile.open(found) as tar:
        for member in tar:
            if member.name.startswith(tuple(wanted)):
                tar.extract(
                    member.replace(name=member.name.removeprefix("package/"), deep=False), target, filter="data"
                )


def _run(modules: Path, stacks: Mapping[str, Deployed], paths: Mapping[str, str]) -> Evaluated:
    asked = []
    for path, name in paths.items():
        each = stacks[name]
        Path(path).write_text(json.dumps(each.template), encoding="utf-8")
        asked.append({"templatePath": path, "region": each.region, "accountId": each.account})
    ran = subprocess.run(
        [node_binary(), SCRIPT],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=True,
        timeout=SECONDS,
        env={"NODE_PATH": str(modules)},
    )
    answer = json.loads(ran.stdout)
    return Evaluated(
        rules=msgspec.convert(answer["rules"], list[Rule]), violations=sorted(_violations(answer["violations"], paths))
    )


def _violations(found: Sequence[Mapping[str, Any]], stacks: Mapping[str, str]) -> list[Violation]:
    return [
        Violation(stacks[place["templatePath"]], each["ruleName"], place["resourceLogicalId"], each["description"])
        for each in found
        for place in each["violatingResources"]
    ]
