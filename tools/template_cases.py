"""The templates of tests/fixtures/template_rules: sound.yaml with the edits of a case, checked by the template rules.

A path is ``stack/LogicalId/Property/0``; a leading ``@`` leaves Properties (``stack/LogicalId/@DeletionPolicy``) or
Resources (``stack/@Outputs/Name``).
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping
from pathlib import Path as File
from typing import Any

import yaml
from hint_words import last_key
from template_rule_follow import steps
from tree_edit import DELETE, Path, at, edit

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.findings.finding import Finding
from neuron_cluster.template_rules.run import check_templates

FIXTURES = File(__file__).parents[1] / "tests" / "fixtures" / "template_rules"
REGION = "us-east-1"
SECTIONS = ("Resources", "Outputs")
ATTRIBUTES = ("DeletionPolicy", "UpdateReplacePolicy")
"""Attributes that a finding names in addition to the properties of a resource."""


class TemplateCases:
    """``template_rule_follow.CheckedCases`` for templates."""

    separator = "/"

    def tree(self, case: Mapping[str, Any]) -> Any:
        templates = json.loads(_sound_json())
        for text, value in case.get("set", {}).items():
            edit(templates, self.path(text), value)
        for text in case.get("remove", []):
            edit(templates, self.path(text), DELETE)
        for text, number in case.get("copy", {}).items():
            *way, name = self.path(text)
            container = at(templates, tuple(way))
            container |= {f"{name}{count}": container[name] for count in range(number)}
        for text, length in case.get("pad", {}).items():
            edit(templates, self.path(text), "x" * length)
        return templates

    def judge(self, tree: Any, case: Mapping[str, Any]) -> list[Finding]:
        del case
        return check_templates(tree, load_catalog(), region=REGION)

    def path(self, text: str, tree: Any = None) -> Path:
        del tree
        stack, first, *rest = text.split("/")
        if first.startswith("@"):
            return (stack, *steps([first[1:], *rest]))
        if rest and rest[0].startswith("@"):
            return (stack, "Resources", first, *steps([rest[0][1:], *rest[1:]]))
        return (stack, "Resources", first, *steps(["Properties", *rest] if rest else ()))

    def place(self, finding: Finding, tree: Any) -> Path:
        del tree
        found = steps(re.findall(r"[^.\[\]]+", finding.location.path))
        if not found or found[0] in SECTIONS:
            return (finding.location.file, *found)
        within = ("Properties",) if len(found) > 1 and found[1] not in ATTRIBUTES else ()
        return (finding.location.file, "Resources", found[0], *within, *found[1:])

    def named(self, path: Path, value: Any, tree: Any) -> tuple[str, ...]:
        """A resource is called by its type, an output an output."""
        stack, section, name, *rest = path
        if section == "Outputs":
            return ("outputs",)
        if rest == ["Type"]:
            return _of_type(value)
        return (*_of_type(at(tree, (stack, section, name, "Type"))), "resources") if not rest else last_key(path, value)


def _of_type(name: Any) -> tuple[str, ...]:
    """``AWS::EC2::Subnet``, and shorter."""
    return (str(name), str(name).rpartition("::")[2])


@functools.cache
def sound_templates() -> Any:
    return _read("sound")


@functools.cache
def _sound_json() -> str:
    """A copy of them is made of this a multiple faster than of a tree."""
    return json.dumps(sound_templates())


def rule_fixture(rule: str) -> list[dict[str, Any]]:
    """The cases of a rule."""
    found: list[dict[str, Any]] = _read(rule)
    return found


def rules_with_fixtures() -> list[str]:
    return sorted(file.stem for file in FIXTURES.glob("[EW]*.yaml"))


def _read(name: str) -> Any:
    return yaml.load((FIXTURES / f"{name}.yaml").read_text("utf-8"), yaml.CSafeLoader)
