"""Every law catches what its fixture breaks, alone, and lets pass what its fixture holds for good."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from judged_manifests import JudgedManifests, law_fixtures
from law_follow import LawCase, law_cases
from rule_follow import Follow

from neuron_cluster.manifest_law.discover import all_laws

READ = law_fixtures()


def _cases(part: str) -> Iterator[Any]:
    for law, fixture in READ.items():
        cases = law_cases(law, JudgedManifests(), fixture[part], fixture.get("follow", []))
        yield from (pytest.param(case, id=f"{law}-{number}") for number, case in enumerate(cases))


GOOD, BAD = list(_cases("good")), list(_cases("bad"))
FOLLOWS = [
    pytest.param(case, follow, id=f"{param.id}-{number}")
    for param in BAD
    for case in param.values
    for number, follow in enumerate(case.follows)
    if follow.is_edit
]


@pytest.mark.parametrize("case", BAD)
def test_a_broken_release_is_caught_by_its_law_alone(case: LawCase) -> None:
    found = case.found_anew()
    assert [(f.id, f.location.path) for f in found] == [(case.law, place) for place in sorted(case.given["finds"])]
    assert all(f.location.file == "fixture" and f.message and f.hint for f in found)


@pytest.mark.parametrize("case", GOOD)
def test_what_looks_like_a_mistake_and_is_none_passes(case: LawCase) -> None:
    assert case.found_anew() == []


@pytest.mark.parametrize("case", BAD)
def test_every_hint_says_how_it_is_followed(case: LawCase) -> None:
    """And the commands in it are understood by the program that they name."""
    assert case.follows
    assert case.command_flaws() == []


@pytest.mark.parametrize(("case", "follow"), FOLLOWS)
def test_a_hint_that_is_followed_leads_to_a_release_that_breaks_no_law(case: LawCase, follow: Follow) -> None:
    assert case.flaws_of(follow) == []


def test_the_sound_release_breaks_no_law() -> None:
    assert JudgedManifests().judge(JudgedManifests().tree({}), {}) == []


def test_every_law_has_a_fixture_and_every_fixture_a_law() -> None:
    assert set(READ) == {law.id for law in all_laws()}


def test_every_fixture_has_good_and_bad_cases() -> None:
    assert [law for law, parts in READ.items() if not (parts.get("good") and parts.get("bad"))] == []


def test_a_file_holds_one_law() -> None:
    modules = [type(law).__module__ for law in all_laws()]
    assert len(set(modules)) == len(modules)


def test_every_law_says_its_source_and_a_sentence() -> None:
    lacking = [law.id for law in all_laws() if not (law.source and (law.__doc__ or "").split("\n")[0].endswith("."))]
    assert lacking == []
