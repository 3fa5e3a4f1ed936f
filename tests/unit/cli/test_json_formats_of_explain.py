"""The JSON of `explain` has every property of its schema; test_explain.py prints every field and every finding."""

from __future__ import annotations

from typing import Any

from neuron_cluster.findings.registry import finding_specs
from tests.json_outputs import FORMAT, accepted_mutations, unseen

from .conftest import Command

UNION, ONE_KIND = "eks.node_groups[].capacity", "eks.node_groups[].capacity.reservation_id"
WITH_EXAMPLE, OF_TEMPLATES, ACCEPTED_BY_AWS = "E3007", "E8105", "E8601"


def explained(command: Command, *topic: str) -> Any:
    return command("explain", *topic, *FORMAT).document


def test_every_property_is_printed(command: Command) -> None:
    topics = [(UNION,), (ONE_KIND,), (WITH_EXAMPLE,), (OF_TEMPLATES,), ("E3",), ()]
    found = [explained(command, *topic) for topic in topics]
    assert unseen("explain", found) == []
    assert [change for each in found for change in accepted_mutations("explain", each)] == []
    assert [each["findings"] for each in found] == [[]] * len(found)
    assert found[0]["kinds"][0]["kind"] == "on_demand"
    assert "reservation" in found[1]["only_in_kinds"]
    assert found[2]["example"]["path"].startswith("eks.node_groups")


def test_texts_have_no_line_breaks_of_the_source(command: Command) -> None:
    for each in explained(command)["finding_specs"]:
        texts = [each[key].replace("\n\n", "") for key in ("title", "reason", "consequence")]
        assert [text for text in texts if "\n" in text] == [], each["id"]


def test_an_error_code_is_that_of_the_service_or_empty(command: Command) -> None:
    for each in explained(command)["finding_specs"]:
        assert " " not in each["error_code"], each["id"]
        assert each["operation"] or not each["error_code"], each["id"]
    assert explained(command, OF_TEMPLATES)["error_code"] == "InvalidParameterCombination"
    assert explained(command, ACCEPTED_BY_AWS)["error_code"] == ""


def test_a_chapter_and_the_list_of_all_have_the_same_records(command: Command) -> None:
    everything = {each["id"]: each for each in explained(command)["finding_specs"]}
    assert set(everything) == set(finding_specs())
    chapter = explained(command, "E3")["finding_specs"]
    assert chapter == [everything[each["id"]] for each in chapter]
    assert {**everything[WITH_EXAMPLE], "findings": []} == explained(command, WITH_EXAMPLE)
