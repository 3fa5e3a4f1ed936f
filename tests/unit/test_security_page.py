"""The policies of docs/security.md: readable, of actions that IAM knows, and enough for what the stacks make."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.findings.registry import finding_specs

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
POLICIES: list[dict[str, Any]] = [json.loads(text) for text in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]


PREFIXES = {"efs": "elasticfilesystem"}
"""Prefixes of actions, where one is not the name of the service in types of CloudFormation."""


def actions(policy: dict[str, Any], effect: str) -> Iterator[str]:
    for statement in policy["Statement"]:
        if statement["Effect"] == effect:
            given = statement["Action"]
            yield from [given] if isinstance(given, str) else given


def test_every_action_is_one_that_iam_knows() -> None:
    assert len(POLICIES) == 3
    unknown = [
        action
        for policy in POLICIES
        for effect in ("Allow", "Deny")
        for action in actions(policy, effect)
        if (service := load_catalog().iam_services.get(action.partition(":")[0])) is not None
        and not service.has_action(action.partition(":")[2])
    ]
    assert unknown == []


def test_the_execution_policy_covers_every_service_of_the_templates() -> None:
    (execution,) = [policy for policy in POLICIES if "cloudformation:*" in actions(policy, "Allow")]
    allowed = {action.partition(":")[0] for action in actions(execution, "Allow")}
    made = {
        resource["Type"].split("::")[1].lower()
        for file in (ROOT / "tests" / "golden").rglob("*.template.json")
        for resource in json.loads(file.read_text(encoding="utf-8"))["Resources"].values()
        if not resource["Type"].startswith("Custom::")
    }
    assert made
    assert {PREFIXES.get(name, name) for name in made} <= allowed


def test_every_id_on_the_page_is_one_of_a_finding() -> None:
    assert set(re.findall(r"\b[EW]\d{4}\b", PAGE)) <= set(finding_specs())
