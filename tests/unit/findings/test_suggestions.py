"""Near names answer "did you mean" and stay silent when nothing is near."""

import pytest

from neuron_cluster.findings.suggestions import did_you_mean, is_misspelt, suggestions

KNOWN = ("trn1.2xlarge", "trn1.32xlarge", "trn2.48xlarge", "inf2.xlarge")


def test_the_nearest_name_comes_first() -> None:
    assert suggestions("trn1.32xlrge", KNOWN)[0] == "trn1.32xlarge"


def test_case_and_spaces_around_the_name_do_not_count() -> None:
    assert suggestions(" TRN2.48XLARGE ", KNOWN)[0] == "trn2.48xlarge"


def test_nothing_is_near_a_wholly_different_name() -> None:
    assert suggestions("banana", KNOWN) == []


def test_there_are_never_more_than_three() -> None:
    assert len(suggestions("name-1", [f"name-{number}" for number in range(20)])) == 3


@pytest.mark.parametrize(
    ("near", "said"),
    [
        ([], ""),
        (["a"], "did you mean a? "),
        (["a", "b"], "did you mean a or b? "),
        (["a", "b", "c"], "did you mean a, b or c? "),
    ],
)
def test_a_suggestion_reads_as_a_person_says_it(near: list[str], said: str) -> None:
    assert did_you_mean(near) == said


@pytest.mark.parametrize(
    ("name", "known", "is_it"),
    [("EKS", "eks", True), ("admin", "admins", True), ("regoin", "region", True), ("tag", "team", False)],
)
def test_a_name_is_misspelt_when_nothing_else_can_be_meant(name: str, known: str, is_it: bool) -> None:
    assert is_misspelt(name, known) is is_it
