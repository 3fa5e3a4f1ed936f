"""A namespace goes from one team to another in two deploys."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog

sys.path.insert(0, str(Path(__file__).parents[6] / "tools"))  # for the reader of commands in hints

from neuron_cluster.changes.compare import change_findings
from neuron_cluster.findings.finding import Finding, Severity
from tests.five_teams import FIVE, team, with_teams

Templates = dict[str, dict[str, Any]]
TWO = [{"name": "research"}, {"name": "research-test"}]
OTHERS = FIVE[1:]


@pytest.fixture
def of(templates_of: Callable[..., Templates]) -> Callable[..., Templates]:
    """The stacks with the namespaces of teams, and further ones."""

    def after(*teams: Any, further: tuple[str, ...] = (), **edits: Any) -> Templates:
        return templates_of("train-trn1", with_teams(teams, **edits), "teams", *further)

    return after


def errors(deployed: Templates, new: Templates) -> list[Finding]:
    return [each for each in change_findings(deployed, new, load_catalog()) if each.severity is Severity.ERROR]


@pytest.mark.hints("E9580")
def test_a_namespace_is_removed_from_one_team_and_then_added_to_another(of: Callable[..., Templates]) -> None:
    product = team("product", namespaces=[{"name": "product"}, {"name": "research-test"}])
    old, new = of(team("research", namespaces=TWO), FIVE[1]), of(FIVE[0], product)
    (error,) = errors(old, new)
    assert error.id == "E9580"
    assert "the namespace research-test would move from the team research to the team product" in error.message
    assert "1. remove research-test from the team research" in error.hint
    assert "2. add it to the team product and deploy" in error.hint
    first = of(FIVE[0], FIVE[1])
    assert errors(old, first) == errors(first, new) == []


@pytest.mark.hints("E9580")
def test_a_team_of_another_name_that_keeps_its_namespaces_leaves_the_file_first(of: Callable[..., Templates]) -> None:
    old = of(team("research", namespaces=TWO), *OTHERS)
    new = of(team("science", namespaces=TWO), *OTHERS)
    (error,) = errors(old, new)
    assert "the namespaces research and research-test would move from the team research to the team science" in (
        error.message
    )
    assert "(a team without another namespace: remove the team)" in error.hint
    first = of(*OTHERS)
    assert errors(old, first) == errors(first, new) == []


@pytest.mark.hints("E9580")
def test_a_namespace_of_the_cluster_goes_to_a_team_in_two_deploys(of: Callable[..., Templates]) -> None:
    of = functools.partial(of, further=("software",))
    shared = {"eks.namespaces": [{"name": "default"}, {"name": "research"}]}
    old, new = of(*OTHERS, **shared), of(*FIVE)
    for deployed, wanted, owners in (
        (old, new, "from eks.namespaces to the team research"),
        (new, old, "from the team research to eks.namespaces"),
    ):
        (error,) = errors(deployed, wanted)
        assert (error.id, owners in error.message) == ("E9580", True)
    first = of(*OTHERS)
    for deployed, wanted in ((old, first), (first, new), (new, first), (first, old)):
        assert errors(deployed, wanted) == []


def test_without_kueue_the_access_of_the_namespace_is_compared(of: Callable[..., Templates]) -> None:
    """Both teams have a Role of one name there, and CloudFormation deletes that of the old one last."""
    without = {"eks.addons.kueue": False}
    (error,) = errors(of(FIVE[0], **without), of(team("science", namespaces=[{"name": "research"}]), **without))
    assert error.id == "E9580"


def test_teams_that_are_added_changed_or_removed_move_no_namespace(of: Callable[..., Templates]) -> None:
    old = of(*FIVE)
    for new in (of(*OTHERS), of(team("research", weight=3, quota=[]), *OTHERS), of(*FIVE, team("other"))):
        assert errors(old, new) == []
