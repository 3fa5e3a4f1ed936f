"""The bad cases of rules written into other environments: no hint leads to a finding whose hint leads back."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import structs
from rule_fixture import Case, rule_fixture
from rule_follow import Follow

from neuron_cluster.findings.finding import Finding
from neuron_cluster.pipeline import check_environment
from neuron_cluster.rules.discover import all_rules

from .followed import followed, not_in_hint

FIXTURES = {rule.id: rule_fixture(rule.id) for rule in all_rules()}
ELSEWHERE = (
    ("E5029", "dev-inf2"),
    ("E5037", "dev-inf2"),
    ("E5037", "research-teams"),
    ("E5060", "research-teams"),
    ("W5053", "research-teams"),
)
"""Rules of software that excludes other software, in environments with more of it than their fixtures have."""
NARROW = (
    ("E5060", "train-trn3"),
    ("W5053", "train-trn3"),
    ("E5018", "serve-inf1"),
    ("E5020", "serve-inf1"),
    ("E1007", "existing-vpc"),
    ("E1019", "existing-vpc"),
    ("E1047", "existing-vpc"),
    ("E1043", "existing-vpc"),
)
"""Rules of metrics, frameworks and endpoints, in environments with a chip or a VPC that takes fewer of them."""


_found: dict[tuple[object, ...], tuple[Finding, ...]] = {}
"""Findings of each text: several hints lead to the same file."""


def checked(case: Case, folder: Path) -> tuple[Finding, ...]:
    """Returns the findings of a case; none where its edits have no place in the environment, as in one with Slurm."""
    try:
        text = case.text()
    except (KeyError, IndexError, TypeError):
        return ()
    key = (text, repr(case.lock), case.as_of, repr(case.catalog))
    if key not in _found:
        checks = check_environment(
            case.write(folder, text), display_name="environment.yaml", catalog=case.catalog, as_of=case.as_of
        )
        _found[key] = checks.findings
    return _found[key]


def ways(case: Case, found: Finding) -> list[Follow]:
    """Edits that the hint of a finding names word for word."""
    edits = (
        [follow for bad in FIXTURES[found.id].bad for follow in bad.follows if follow.is_edit and not follow.yours]
        if found.id in FIXTURES and "unless" not in found.hint
        else []
    )
    said = []
    for follow in edits:
        try:
            if not not_in_hint(case, follow, found.location.path, found.hint):
                said.append(follow)
        except (KeyError, IndexError, TypeError, ValueError):
            continue
    return said


def loops_of(rule_id: str, case: Case, folder: Path) -> list[str]:
    """Findings of the followed hint whose own hint brings the first finding back."""
    before = checked(case, folder)
    first = next((found for found in before if found.id == rule_id), None)
    loops: list[str] = []
    for way in ways(case, first) if first is not None else []:
        assert first is not None
        after = followed(case, way, first.location.path)
        for second in checked(after, folder):
            if second.id in {found.id for found in before}:
                continue
            for back in ways(after, second):
                again = checked(followed(after, back, second.location.path), folder)
                if rule_id in {found.id for found in again}:
                    loops.append(f"{rule_id}: {first.hint} -> {second.id}: {second.hint}")
    return loops


@pytest.mark.parametrize(("rule_id", "base"), [*ELSEWHERE, *NARROW])
def test_no_hint_leads_to_a_finding_whose_hint_leads_back(rule_id: str, base: str, tmp_path: Path) -> None:
    cases = [case for case in FIXTURES[rule_id].bad if not case.lock]
    assert [loop for case in cases for loop in loops_of(rule_id, structs.replace(case, base=base), tmp_path)] == []


@pytest.mark.parametrize(("rule_id", "base"), NARROW)
def test_no_hint_leads_to_an_error(rule_id: str, base: str, tmp_path: Path) -> None:
    """The literal edits of the hint are made; an error that was not there before would need another edit."""
    led = []
    for case in (structs.replace(case, base=base) for case in FIXTURES[rule_id].bad if not case.lock):
        before = checked(case, tmp_path)
        first = next((found for found in before if found.id == rule_id), None)
        known = {found.id for found in before}
        for way in ways(case, first) if first is not None else []:
            assert first is not None
            after = checked(followed(case, way, first.location.path), tmp_path)
            led += [f"{first.hint} -> {each.id}" for each in after if each.id.startswith("E") and each.id not in known]
    assert led == []


def test_endpoints_that_a_list_in_an_existing_vpc_may_have_are_named(tmp_path: Path) -> None:
    """E1047 asks for a list; E1043 takes gateway endpoints out of it."""
    case = FIXTURES["E1047"].bad[0]
    (found,) = (each for each in checked(case, tmp_path) if each.id == "E1047")
    gateways = {row.name for row in case.catalog.endpoint_services if row.kind == "gateway"}
    named = {word.strip(",;") for word in found.hint.partition("gateway endpoints (")[2].partition(")")[0].split()}
    assert gateways <= named, found.hint
