"""Every law catches the templates of its fixture, alone, and accepts the sound ones and the shipped ones."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from neuron_cluster.template_law.discover import all_laws
from neuron_cluster.template_law.run import judge

FIXTURES = Path(__file__).parents[2] / "fixtures" / "laws"
SOUND = yaml.safe_load((FIXTURES / "sound.yaml").read_text())
REGION = "us-east-1"


def _cases() -> list[Any]:
    files = sorted(path for path in FIXTURES.glob("*.yaml") if path.stem != "sound")
    return [
        pytest.param(file.stem, case, id=f"{file.stem}-{number}")
        for file in files
        for number, case in enumerate(yaml.safe_load(file.read_text()))
    ]


def _place(templates: dict[str, Any], path: str) -> tuple[Any, Any]:
    """Container and key of ``stack/LogicalId/Property``; ``@`` leads out of Properties or out of Resources."""
    stack, *rest = path.split("/")
    if rest[0].startswith("@"):
        steps = [rest[0][1:], *rest[1:]]
    elif len(rest) > 1 and rest[1].startswith("@"):
        steps = ["Resources", rest[0], rest[1][1:], *rest[2:]]
    else:
        steps = ["Resources", rest[0], *(["Properties", *rest[1:]] if len(rest) > 1 else [])]
    container = templates[stack]
    for step in steps[:-1]:
        container = container[int(step)] if isinstance(container, list) else container[step]
    return container, int(steps[-1]) if isinstance(container, list) else steps[-1]


def _edited(case: Mapping[str, Any]) -> dict[str, Any]:
    templates: dict[str, Any] = copy.deepcopy(SOUND)
    for path, value in copy.deepcopy(case.get("set", {})).items():  # what an alias repeats is one object
        container, key = _place(templates, path)
        if isinstance(container, list) and key == len(container):
            container.append(value)
        else:
            container[key] = value
    for path in case.get("remove", []):
        container, key = _place(templates, path)
        del container[key]
    for path, number in case.get("copy", {}).items():
        container, key = _place(templates, path)
        container |= {f"{key}{count}": container[key] for count in range(number)}
    for path, length in case.get("pad", {}).items():
        container, key = _place(templates, path)
        container[key] = "x" * length
    return templates


@pytest.mark.parametrize(("law_id", "case"), _cases())
def test_a_broken_template_is_caught_by_its_law_alone(law_id: str, case: Mapping[str, Any]) -> None:
    found = [(f.id, f"{f.location.file} {f.location.path}") for f in judge(_edited(case), region=REGION)]
    assert found == [(law_id, place) for place in case["finds"]]


def test_sound_templates_break_no_law() -> None:
    assert judge(SOUND, region=REGION) == []


def test_every_law_has_a_fixture_and_every_fixture_a_law() -> None:
    assert {path.stem for path in FIXTURES.glob("*.yaml")} - {"sound"} == {law.id for law in all_laws()}


def test_a_file_holds_one_law() -> None:
    modules = [type(law).__module__ for law in all_laws()]
    assert len(set(modules)) == len(modules)


def test_every_law_says_its_operation_its_source_and_a_sentence() -> None:
    lacking = [
        law.id
        for law in all_laws()
        if not (law.operation and law.source and (law.__doc__ or "").split("\n")[0].endswith("."))
    ]
    assert lacking == []


def _places(tree: Any) -> Iterator[tuple[Any, Any]]:
    """Container and key of every value inside, but not inside a function of CloudFormation."""
    if isinstance(tree, dict) and any(key == "Ref" or key.startswith("Fn::") for key in tree):
        return
    keys = list(tree) if isinstance(tree, dict) else range(len(tree)) if isinstance(tree, list) else ()
    for key in keys:
        yield tree, key
        yield from _places(tree[key])


def test_what_a_template_does_not_tell_breaks_no_law() -> None:
    """Each value inside each sound resource gives way to one that only the deploy knows."""
    templates = copy.deepcopy(SOUND)
    broken = []
    for stack, template in SOUND.items():
        for logical_id in template["Resources"]:
            for container, key in list(_places(templates[stack]["Resources"][logical_id]["Properties"])):
                known, container[key] = container[key], {"Fn::ImportValue": "elsewhere"}
                broken += [(f.id, logical_id, key) for f in judge(templates, region=REGION)]
                container[key] = known
    assert broken == []
