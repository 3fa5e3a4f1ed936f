"""Every rule against its fixture: silent in the good cases, exact in the bad ones, and its hints help."""

import contextlib
import json
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest
from hint_commands import command_error, commands_in
from pydantic import BaseModel
from pydantic.fields import FieldInfo
from rule_findings import findings_of_rule
from rule_fixture import PROJECT, Case, line_of, rule_fixture
from rule_follow import Follow

from neuron_cluster.config.environment_config import environment_model
from neuron_cluster.config.fields import key_of, models_in
from neuron_cluster.config.scalars import typed
from neuron_cluster.findings.finding import Finding, Severity, has_error
from neuron_cluster.pipeline import check_environment
from neuron_cluster.rules.base import Needs
from neuron_cluster.rules.discover import all_rules
from tests.every_case import every_case

from .followed import followed, not_in_hint, unsaid_step

RULES = {rule.id: rule for rule in all_rules()}
CASES = [(rule.id, rule_fixture(rule.id)) for rule in RULES.values()]
FOLLOWS = {i: fixture.follows for i, fixture in CASES}
GOOD = [pytest.param(i, case, id=f"{i}-good-{n}") for i, fixture in CASES for n, case in enumerate(fixture.good)]
BAD = [pytest.param(i, case, id=f"{i}-bad-{n}") for i, fixture in CASES for n, case in enumerate(fixture.bad)]
EDITS = [
    pytest.param(i, case, follow, place, id=f"{i}-bad-{n}-{m}-{place}")
    for i, fixture in CASES
    for n, case in enumerate(fixture.bad)
    for m, follow in enumerate(case.follows)
    if follow.is_edit
    for place in dict.fromkeys(case.paths)
]
FIRST = list({(edit.values[0], tuple(edit.values[2].edits)): edit for edit in reversed(EDITS)}.values())
"""One edit of each rule for each set of keys that its hints write."""
FURTHER = [edit for edit in EDITS if edit not in FIRST]

NOT_FOLLOWED_YET: set[str] = set()
"""Rules whose fixtures do not say yet how their hints are followed. The set only shrinks."""

FOLDER = tempfile.TemporaryDirectory()
"""The folder of files without a lock, one after the other: a folder for each takes as long as a few rules."""

_found: dict[tuple[object, ...], tuple[Finding, ...]] = {}
"""Findings of each text: hints that are followed often lead to the same file, above all to the base."""


@pytest.fixture(scope="module", autouse=True)
def _folder_is_removed() -> Iterator[None]:
    yield
    FOLDER.cleanup()


def chapter_of(case: str) -> str:
    """As ``E3``: a test for each rule would be 730, which take longer to collect than to run."""
    return case[:2]


def found_in(case: Case) -> tuple[Finding, ...]:
    """Returns the findings of a case that lives as long as the module, or of an unedited base."""
    is_base = case == Case(case.base, {}, as_of=case.as_of)
    key = (case.base, case.as_of) if is_base else (id(case),)
    if key not in _found:
        _found[key] = checked(case, None if is_base else text_of(case))
    return _found[key]


_texts: dict[int, str] = {}
"""Texts of cases that live as long as the module: to write one takes as long as many rules."""


def text_of(case: Case) -> str:
    """Returns the text of such a case."""
    if id(case) not in _texts:
        _texts[id(case)] = case.text()
    return _texts[id(case)]


def checked(case: Case, text: str | None = None) -> tuple[Finding, ...]:
    text = text or case.text()
    key = (text, repr(case.lock), case.as_of, repr(case.catalog))
    if key not in _found:
        _found[key] = _checked(case, text)
    return _found[key]


def _checked(case: Case, text: str) -> tuple[Finding, ...]:
    with tempfile.TemporaryDirectory() if case.lock else contextlib.nullcontext(FOLDER.name) as folder:
        file = case.write(Path(folder), text)
        return check_environment(file, display_name="environment.yaml", catalog=case.catalog, as_of=case.as_of).findings


def new_errors(found: tuple[Finding, ...], before: tuple[Finding, ...]) -> list[str]:
    known = {(f.id, f.location.path) for f in before}
    return [
        f"{f.id} {f.location.path}: {f.message}"
        for f in found
        if f.severity is Severity.ERROR and (f.id, f.location.path) not in known
    ]


@every_case("rule_id, case", GOOD, group=chapter_of)
def test_a_good_case_does_not_wake_the_rule(rule_id: str, case: Case) -> None:
    with tempfile.TemporaryDirectory() if case.lock else contextlib.nullcontext(FOLDER.name) as folder:
        assert findings_of_rule(RULES[rule_id], case, Path(folder)) == []


@pytest.mark.exhaustive
@every_case("rule_id, case", GOOD, group=chapter_of)
def test_a_good_case_does_not_wake_the_rule_among_all_others(rule_id: str, case: Case) -> None:
    assert [finding for finding in found_in(case) if finding.id == rule_id] == []


@every_case("rule_id, case", BAD, group=chapter_of)
def test_a_bad_case_is_found_at_its_place_and_said_in_words(rule_id: str, case: Case) -> None:
    """And wakes no rule that the fixture does not name."""
    found = found_in(case)
    findings = [finding for finding in found if finding.id == rule_id]
    assert tuple(finding.location.path for finding in findings) == case.paths
    for finding in findings:
        assert case.says in finding.message
        assert finding.hint
        assert finding.location.line == line_of(finding.location.path, text_of(case))
        assert "\n" not in finding.message + finding.hint
        assert not re.search(r"\bNone\b", finding.message + finding.hint), "a value that is not there"
    before = {finding.id for finding in found_in(Case(case.base, {}, as_of=case.as_of))}
    assert {finding.id for finding in found} - before - {rule_id} == set(case.also)


@pytest.mark.exhaustive
def test_an_editor_refuses_no_file_that_has_no_error() -> None:
    """The editor schema, with numbers and switches as editors read them. All rules are asked where it refuses."""
    schema = jsonschema.Draft202012Validator(json.loads((PROJECT / "environments/environment.schema.json").read_text()))
    cases = [case for _, fixture in CASES for case in (*fixture.good, *fixture.bad)]
    refused = [(case, errors) for case in cases if (errors := [*schema.iter_errors(typed(case.tree()))])]
    wrong = [errors for case, errors in refused if not has_error(found_in(case))]
    assert len(cases) - len(refused) > 400
    assert [error.message for errors in wrong for error in errors] == []


@every_case("rule_id, case", BAD, group=chapter_of)
def test_every_hint_says_how_it_is_followed(rule_id: str, case: Case) -> None:
    """And the commands in it are understood by the program that they name."""
    assert bool(case.follows) != (rule_id in NOT_FOLLOWED_YET)
    for finding in (f for f in found_in(case) if f.id == rule_id):
        commands = commands_in(finding.hint)
        assert [error for command in commands if (error := command_error(command))] == []
        assert commands or not any(follow.command for follow in case.follows)


@every_case("rule_id, case, follow, place", FIRST, group=chapter_of)
def test_a_hint_that_is_followed_leads_to_a_file_without_the_finding(
    rule_id: str, case: Case, follow: Follow, place: str
) -> None:
    assert_is_followed(rule_id, case, follow, place)


@pytest.mark.exhaustive
@every_case("rule_id, case, follow, place", FURTHER, group=chapter_of)
def test_a_hint_leads_out_of_every_bad_case(rule_id: str, case: Case, follow: Follow, place: str) -> None:
    assert_is_followed(rule_id, case, follow, place)


def assert_is_followed(rule_id: str, case: Case, follow: Follow, place: str) -> None:
    """To the letter, and to no other error; what else it brings is a warning that the fixture names."""
    before = found_in(case)
    finding = next(f for f in before if f.id == rule_id and f.location.path == place)
    assert not_in_hint(case, follow, place, finding.hint) == []
    case = followed(case, follow, place)
    found = checked(case)
    for step in follow.then:
        hints = [(f.location.path, f.hint) for f in found if f.severity is Severity.ERROR or f.id == rule_id]
        assert unsaid_step(case, step, place, hints) == []
        case = followed(case, step, place)
        found = checked(case)
    assert [f for f in found if (f.id, f.location.path) == (rule_id, place)] == []
    assert new_errors(found, before) == []
    known = {f.id for f in (*before, *found_in(Case(case.base, {}, as_of=case.as_of)))}
    assert sorted({f.id for f in found} - known) == sorted(follow.warns)
    assert comes_back(rule_id, case, [f for f in found if f.id in follow.warns]) == []


def comes_back(rule_id: str, case: Case, warnings: list[Finding]) -> list[str]:
    """Hints of new warnings that lead back to the finding: a circle, unless they say for whom they are not."""
    return [
        f"{warning.id}: {warning.hint}"
        for warning in warnings
        if "unless" not in warning.hint
        for follow in FOLLOWS[warning.id]
        if follow.is_edit and not not_in_hint(case, follow, warning.location.path, warning.hint)
        if rule_id in {f.id for f in checked(followed(case, follow, warning.location.path))}
    ]


def keys_with_a_default() -> set[str]:
    return {key_of(name, field) for name, field in model_fields() if not field.is_required()}


def model_fields() -> Iterator[tuple[str, FieldInfo]]:
    """Every field of every model of the environment file."""
    waiting: list[type[BaseModel]] = [environment_model()]
    for model in waiting:
        for name, field in model.model_fields.items():
            yield name, field
            waiting += [each for each in models_in(field.annotation) if each not in waiting]


def test_a_key_that_a_hint_writes_is_one_that_its_rule_proposes() -> None:
    """Else the hint is shown where a broken value of this very key was replaced by its default."""
    rules = {rule_id: rule for rule_id, rule in RULES.items() if rule.needs is not Needs.PLAN}
    optional = keys_with_a_default()
    written = {
        (finding.id, key)
        for rule_id, fixture in CASES
        for case in fixture.bad
        for finding in found_in(case)
        if finding.id == rule_id and rule_id in rules
        for key in re.findall(r"\b([a-z_]+): ", finding.hint)
        if key in optional
    }
    assert len(written) > 50
    assert sorted(each for each in written if each[1] not in rules[each[0]].proposes) == []
