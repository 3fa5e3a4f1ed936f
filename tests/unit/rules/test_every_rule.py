"""Every rule against its fixture: silent in the good cases, exact in the bad ones."""

import tempfile
from pathlib import Path

import pytest
from rule_fixture import Case, line_of, rule_fixture

from neuron_cluster.findings import Finding
from neuron_cluster.line import check_environment
from neuron_cluster.rules.discover import all_rules

CASES = [(rule.id, rule_fixture(rule.id)) for rule in all_rules()]
GOOD = [pytest.param(i, case, id=f"{i}-good-{n}") for i, fixture in CASES for n, case in enumerate(fixture.good)]
BAD = [pytest.param(i, case, id=f"{i}-bad-{n}") for i, fixture in CASES for n, case in enumerate(fixture.bad)]


_found: dict[tuple[object, ...], tuple[Finding, ...]] = {}
"""What was found in each case; an unedited base is the same for all."""


def found_in(case: Case) -> tuple[Finding, ...]:
    is_base = case == Case(case.base, {}, as_of=case.as_of)
    key = (case.base, case.as_of) if is_base else (id(case),)
    if key not in _found:
        with tempfile.TemporaryDirectory() as folder:
            file = case.write(Path(folder))
            checked = check_environment(file, shown_as="environment.yaml", catalog=case.catalog, as_of=case.as_of)
        _found[key] = checked.findings
    return _found[key]


@pytest.mark.parametrize(("rule_id", "case"), GOOD)
def test_a_good_case_does_not_wake_the_rule(rule_id: str, case: Case) -> None:
    assert [finding for finding in found_in(case) if finding.id == rule_id] == []


@pytest.mark.parametrize(("rule_id", "case"), BAD)
def test_a_bad_case_is_found_at_its_place_and_said_in_words(rule_id: str, case: Case) -> None:
    """And wakes no rule that the fixture does not name."""
    found = found_in(case)
    findings = [finding for finding in found if finding.id == rule_id]
    assert tuple(finding.location.path for finding in findings) == case.paths
    for finding in findings:
        assert case.says in finding.message
        assert finding.hint
        assert finding.location.line == line_of(finding.location.path, case.text())
        assert "\n" not in finding.message + finding.hint
    before = {finding.id for finding in found_in(Case(case.base, {}, as_of=case.as_of))}
    assert {finding.id for finding in found} - before - {rule_id} == set(case.also)
