"""Every rule catches what its fixture breaks, alone, and lets pass what its fixture holds for good."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from manifest_cases import ManifestCases, rule_fixtures
from template_rule_follow import Follow, TemplateRuleCase, rule_cases

from local_kubernetes.model.release import Release
from neuron_cluster.findings.needs import UndeclaredNeed
from neuron_cluster.schedulers.kubernetes.manifest_rules.base import ManifestContext
from neuron_cluster.schedulers.kubernetes.manifest_rules.discover import all_manifest_rules
from tests.every_case import every_case

READ = rule_fixtures()


def _cases(part: str) -> Iterator[Any]:
    for rule, fixture in READ.items():
        cases = rule_cases(rule, ManifestCases(), fixture[part], fixture.get("follow", []))
        yield from (pytest.param(case, id=f"{rule}-{number}") for number, case in enumerate(cases))


def chapter_of(case: str) -> str:
    return case[:3]


def writes(follow: Follow) -> tuple[tuple[str, ...], ...]:
    """Places of the edits, and of those that they bring."""
    return tuple(tuple(part) for each in (follow, *follow.then) for part in (each.edits, each.yours))


GOOD, BAD = list(_cases("good")), list(_cases("bad"))
FOLLOWS = [
    pytest.param(case, follow, id=f"{param.id}-{number}")
    for param in BAD
    for case in param.values
    for number, follow in enumerate(case.follows)
    if follow.is_edit
]
FIRST = list({(param.values[0].rule, writes(param.values[1])): param for param in reversed(FOLLOWS)}.values())
"""One edit of each rule for each set of places that its hints write."""
FURTHER = [param for param in FOLLOWS if param not in FIRST]


@every_case("case", BAD, group=chapter_of)
def test_a_broken_release_is_caught_by_its_rule_alone(case: TemplateRuleCase) -> None:
    assert [(f.id, f.location.path) for f in case.found] == [
        (case.rule, place) for place in sorted(case.given["finds"])
    ]
    assert all(f.location.file == "fixture" and f.message and f.hint for f in case.found)


@every_case("case", GOOD, group=chapter_of)
def test_what_looks_like_a_mistake_and_is_none_passes(case: TemplateRuleCase) -> None:
    assert case.found == []


@every_case("case", BAD, group=chapter_of)
def test_every_hint_says_how_it_is_followed(case: TemplateRuleCase) -> None:
    """And the commands in it are understood by the program that they name."""
    assert case.follows
    assert case.command_errors() == []


@every_case("case, follow", FIRST, group=chapter_of)
def test_a_hint_that_is_followed_leads_to_a_release_that_breaks_no_rule(case: TemplateRuleCase, follow: Follow) -> None:
    assert case.flaws_of(follow) == []


@pytest.mark.exhaustive
@every_case("case, follow", FURTHER, group=chapter_of)
def test_the_same_edit_does_so_in_further_cases(case: TemplateRuleCase, follow: Follow) -> None:
    assert case.flaws_of(follow) == []


def test_a_context_has_a_pod_template_for_rules_over_pods_only() -> None:
    release = Release(ManifestCases().tree({}), namespace="inference", namespaces=[], pod_security="restricted")
    workload, template = next((each, pod) for each in release.objects for pod in release.templates_of(each))
    assert ManifestContext(object=workload, release=release, given_template=template).template is template
    with pytest.raises(UndeclaredNeed, match=r"declares `needs = Needs\.POD`"):
        _ = ManifestContext(object=workload, release=release).template


def test_the_sound_release_breaks_no_rule() -> None:
    assert ManifestCases().judge(ManifestCases().tree({}), {}) == []


def test_every_rule_has_a_fixture_and_every_fixture_a_rule() -> None:
    assert set(READ) == {rule.id for rule in all_manifest_rules()}


def test_every_fixture_has_good_and_bad_cases() -> None:
    assert [rule for rule, parts in READ.items() if not (parts.get("good") and parts.get("bad"))] == []


def test_a_file_holds_one_rule() -> None:
    modules = [type(rule).__module__ for rule in all_manifest_rules()]
    assert len(set(modules)) == len(modules)


def test_every_rule_says_its_source_and_a_sentence() -> None:
    lacking = [
        rule.id
        for rule in all_manifest_rules()
        if not (rule.source and (rule.__doc__ or "").split("\n")[0].endswith("."))
    ]
    assert lacking == []
