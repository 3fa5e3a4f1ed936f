"""docs/json/ and the schemas of the package are what tools/json_formats/ describes."""

from __future__ import annotations

import pytest
from json_formats import JsonFormat
from reference_pages import outdated
from write_json_pages import NAME, json_pages, schema_files

from neuron_cluster.cli.json_schemas import FOLDER

RUN = "run tools/write_json_pages.py"


def test_the_pages_in_the_documentation_are_fresh() -> None:
    assert outdated(NAME, json_pages()) == [], RUN


def test_the_schemas_in_the_package_are_fresh() -> None:
    present = {file.name: file.read_text("utf-8") for file in FOLDER.iterdir()}
    assert present == schema_files(), RUN


def test_no_page_is_longer_than_a_reader_scrolls() -> None:
    assert [name for name, text in json_pages().items() if text.count("\n") > 400] == []


def notation(records: dict[str, dict[str, str]], **names: str) -> JsonFormat:
    return JsonFormat("do", {"Done": ""}, {"Findings": {"findings": "any - x"}, **records}, names)


@pytest.mark.parametrize(
    ("written", "schema"),
    [
        ("string", {"type": "string"}),
        ("integer?", {"type": ["integer", "null"]}),
        ("date", {"type": "string", "format": "date"}),
        ("string[]", {"type": "array", "items": {"type": "string"}}),
        ("number{}?", {"type": ["object", "null"], "additionalProperties": {"type": "number"}}),
        ("on_demand | spot", {"enum": ["on_demand", "spot"]}),
        ("full | null", {"anyOf": [{"type": "null"}, {"enum": ["full"]}]}),
        ("(string | integer)[]", {"type": "array", "items": {"type": ["string", "integer"]}}),
        ("Part?", {"anyOf": [{"$ref": "#/$defs/Part"}, {"type": "null"}]}),
        ("any", {}),
    ],
)
def test_a_type_is_written_in_a_few_words(written: str, schema: dict[str, object]) -> None:
    records = {"Done": {"it": f"{written} - what it is"}, "Part": {"name?": "string - its name"}}
    definition = notation(records).schema["$defs"]["Done"]
    assert definition["properties"]["it"] == {**schema, "description": "What it is"}
    assert (definition["required"], definition["additionalProperties"]) == (["it"], False)


def test_a_command_may_print_a_list() -> None:
    schema = notation({"Done": {"it": "string - what it is"}})._replace(prints={"Done[]": ""}).schema
    assert schema["anyOf"][0] == {"type": "array", "items": {"$ref": "#/$defs/Done"}}
    assert list(schema["$defs"]) == ["Done", "Findings"]


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"it": "string"}, "do: Done.it has no description"),
        ({"it": "Nothing - x"}, "do: there is no record Nothing"),
        ({"it": "wrong% - x"}, "'wrong%' is not a type"),
        ({"it": "field - x"}, "it: there is no field"),
    ],
)
def test_a_notation_that_is_not_complete_is_an_error(record: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        assert notation({"Done": record}).schema


def test_a_property_without_a_description_has_that_of_its_name_or_its_record() -> None:
    records = {"Done": {"region": "string", "part": "Part"}, "Part": {"$about": "one part", "name": "string - x"}}
    properties = notation(records, region="AWS Region").schema["$defs"]["Done"]["properties"]
    assert [each["description"] for each in properties.values()] == ["AWS Region", "One part"]
