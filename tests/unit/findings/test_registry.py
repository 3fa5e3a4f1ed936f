"""The one registry of finding ids."""

from __future__ import annotations

import pytest

from neuron_cluster.findings.registry import by_id, finding_specs, specs_of_topic
from neuron_cluster.findings.spec import FindingSpec


def test_an_id_is_that_of_one_finding() -> None:
    with pytest.raises(RuntimeError, match="E0001"):
        by_id(
            [FindingSpec("E0001", "0: the file", "", "One.", ""), FindingSpec("E0001", "0: the file", "", "Two.", "")]
        )


def test_findings_are_in_the_order_of_their_numbers() -> None:
    specs = [FindingSpec(name, "0: the file", "", "Title.", "") for name in ("W0002", "E0003", "E0001")]
    assert list(by_id(specs)) == ["E0001", "W0002", "E0003"]


def test_every_package_with_findings_is_in_the_registry() -> None:
    chapters = {spec.chapter.partition(":")[0] for spec in finding_specs().values()}
    assert {"0", "1", "81", "88", "9", "91", "92", "93"} <= chapters


@pytest.mark.parametrize(("topic", "first"), [("E82", "82"), ("3", "3"), (" w9 ", "9")])
def test_a_chapter_is_named_by_the_beginning_of_its_ids(topic: str, first: str) -> None:
    found = specs_of_topic(topic)
    assert found
    assert all(spec.id[1:].startswith(first) for spec in found)


@pytest.mark.parametrize("topic", ["eks", "E", "", "E3007"])
def test_any_other_topic_is_no_chapter(topic: str) -> None:
    assert specs_of_topic(topic) == []
