"""Text says once what is the same for many items; each place stays a finding of its own elsewhere."""

from __future__ import annotations

from collections.abc import Iterable

from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.report.findings_text import findings_text, summary
from neuron_cluster.report.repeated_warnings import once_in_each_base, without_repeats

HINT = "run `neuron-cluster lock big`"


def pinned(
    names: Iterable[str], finding_id: str = "W3011", what: str = "the image of {} is not pinned"
) -> list[Finding]:
    return [
        Finding(
            finding_id, Location("big.yaml", 10 + at, 1, f"eks.node_groups[{at}].ami_release"), what.format(name), HINT
        )
        for at, name in enumerate(names)
    ]


def test_a_hundred_groups_are_one_warning_with_two_names() -> None:
    text = findings_text(pinned(f"trn2-{number}" for number in range(100)))
    assert text == (
        "big.yaml:10  W3011  eks.node_groups[0].ami_release and 99 more places\n"
        "  the image of trn2-0, trn2-1 and 98 more is not pinned\n"
        f"  hint: {HINT}\n\n"
        "1 warning (100 places)\n"
    )


def test_few_groups_are_all_named_and_the_punctuation_stays() -> None:
    folded = without_repeats(pinned(["a", "b", "c"], what="nothing pins {}: it is new"))
    assert [warning.message for warning in folded] == ["nothing pins a, b and c: it is new"]
    (same,) = without_repeats(pinned(["x", "y"], what="nothing pins it"))
    assert same.message == "nothing pins it"
    assert same.location.path.endswith(" and 1 more place")


def test_errors_other_hints_other_keys_and_numbers_stay_apart() -> None:
    errors = pinned(["a", "b"], "E3011")
    assert without_repeats(errors) == errors
    numbers = pinned(["20", "30"], what="the disk has {} GiB")
    assert without_repeats(numbers) == numbers
    two_words = pinned(["a 1", "b 2"])
    assert without_repeats(two_words) == two_words
    first, second = pinned(["a", "b"])
    elsewhere = Finding(second.id, Location("big.yaml", 11, 1, "eks.version"), second.message, second.hint)
    otherwise = Finding(second.id, second.location, second.message, "another hint")
    for other in (elsewhere, otherwise):
        assert without_repeats([first, other]) == [first, other]


def test_the_count_says_how_many_places_there_are() -> None:
    assert summary([*pinned(["a", "b"]), *pinned(["a"], "E3011")]) == "1 error, 1 warning (2 places)"
    assert summary(pinned(["a"])) == "1 warning"


def in_base(environment: str) -> Finding:
    return Finding(
        "E0013", Location("bases/a.yaml", 3, 1, "network.nat", extended_by=environment), "nat is x", "write y"
    )


def test_a_finding_of_a_base_is_one_that_names_the_environments() -> None:
    assert once_in_each_base([in_base("b.yaml"), in_base("c.yaml")]) == [in_base("b.yaml and c.yaml")]
    many = once_in_each_base([in_base(f"{number}.yaml") for number in range(9)])
    assert many == [in_base("0.yaml, 1.yaml and 7 more")]
    text = findings_text([in_base("b.yaml"), in_base("c.yaml")])
    assert text.endswith("  hint: write y\n\n1 error\n")


def test_findings_of_other_files_and_lines_stay_apart() -> None:
    errors = [*pinned(["a", "b"], "E3011"), *pinned(["a", "b"], "E3011")]
    assert once_in_each_base(errors) == errors
    assert once_in_each_base([in_base("")]) == [in_base("")]


def test_a_verb_after_several_names_is_plural() -> None:
    for one, several in (("was not offered", "were not offered"), ("has SDK", "have SDK"), ("runs in a", "run in a")):
        (folded,) = without_repeats(pinned(["inf2.48xlarge", "inf2.24xlarge"], what=f"{{}} {one}"))
        assert folded.message == f"inf2.48xlarge and inf2.24xlarge {several}"
    (same,) = without_repeats(pinned(["a", "a"], what="{} was not offered"))
    assert same.message == "a was not offered"
