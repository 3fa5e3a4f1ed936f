"""Actions and service principals: what the data answers, and that it is what the installed packages record."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog

ROOT = Path(__file__).parents[3]


def actions_in(tree: Any) -> Iterator[str]:
    """Every action that a template's policies name."""
    if isinstance(tree, dict):
        for key, member in tree.items():
            if key in ("Action", "NotAction"):
                yield from (each for each in ([member] if isinstance(member, str) else member) if isinstance(each, str))
            else:
                yield from actions_in(member)
    elif isinstance(tree, list):
        for item in tree:
            yield from actions_in(item)


@pytest.mark.parametrize("name", ["DescribeCluster", "describecluster", "Describe*", "Delete?odegroup", "*"])
def test_an_action_is_known_in_any_case_and_by_wildcard(name: str) -> None:
    service = load_catalog().iam_services.get("eks")
    assert service is not None
    assert service.has_action(name)


@pytest.mark.parametrize("name", ["DecribeCluster", "Decribe*", ""])
def test_a_misspelt_action_is_not(name: str) -> None:
    service = load_catalog().iam_services.get("eks")
    assert service is not None
    assert not service.has_action(name)


def test_every_service_that_a_golden_names_is_recorded() -> None:
    named = {
        action.split(":")[0]
        for file in (ROOT / "tests" / "golden").rglob("*.json")
        for action in actions_in(json.loads(file.read_text()))
    }
    assert "eks" in named
    assert named - {"*"} <= {service.name for service in load_catalog().iam_services}


def test_the_principals_of_the_services_that_we_make_roles_for_are_known() -> None:
    wanted = {f"{name}.amazonaws.com" for name in ("ec2", "eks", "lambda", "pods.eks", "vpc-flow-logs")}
    assert wanted <= load_catalog().service_principals.principals


def test_the_data_is_what_the_installed_packages_record() -> None:
    """Else run tools/refresh_iam_data.py."""
    specification = importlib.util.spec_from_file_location("refresh_iam_data", ROOT / "tools" / "refresh_iam_data.py")
    assert specification is not None
    assert specification.loader is not None
    tool = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(tool)
    written = load_catalog().iam_services.rows[0].checked_on
    assert (tool.DATA / "iam_actions.yaml").read_text() == tool.iam_actions(written)
    assert (tool.DATA / "service_principals_recorded.yaml").read_text() == tool.service_principals(written)
