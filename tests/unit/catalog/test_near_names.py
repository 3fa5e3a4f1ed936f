"""Near names answer "did you mean" and stay silent when nothing is near."""

from neuron_cluster.catalog.near_names import near_names

KNOWN = ("trn1.2xlarge", "trn1.32xlarge", "trn2.48xlarge", "inf2.xlarge")


def test_the_nearest_name_comes_first() -> None:
    assert near_names("trn1.32xlrge", KNOWN)[0] == "trn1.32xlarge"


def test_case_and_spaces_around_the_name_do_not_count() -> None:
    assert near_names(" TRN2.48XLARGE ", KNOWN)[0] == "trn2.48xlarge"


def test_nothing_is_near_a_wholly_different_name() -> None:
    assert near_names("banana", KNOWN) == []


def test_there_are_never_more_than_three() -> None:
    assert len(near_names("name-1", [f"name-{number}" for number in range(20)])) == 3
