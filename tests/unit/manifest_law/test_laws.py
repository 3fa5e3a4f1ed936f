"""Every law catches what its fixture breaks, alone, and lets pass what its fixture holds for good."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from neuron_cluster.findings import Finding
from neuron_cluster.manifest_law.discover import all_laws
from neuron_cluster.manifest_law.run import judge_manifests

FIXTURES = Path(__file__).parents[2] / "fixtures" / "manifests"
SOUND = yaml.safe_load((FIXTURES / "sound.yaml").read_text())


READ = {file.stem: yaml.load(file.read_text(), yaml.CSafeLoader) for file in sorted(FIXTURES.glob("E*.yaml"))}


def _cases(part: str) -> list[Any]:
    return [
        pytest.param(law, case, id=f"{law}-{number}")
        for law, fixture in READ.items()
        for number, case in enumerate(fixture[part])
    ]


def _place(objects: list[Any], path: str) -> tuple[Any, Any]:
    """Container and key of ``Kind/name`` and the steps into the object, with spaces between them."""
    place, *steps = path.split()
    [container] = [one for one in objects if f"{one['kind']}/{one['metadata'].get('name')}" == place]
    if not steps:
        return objects, objects.index(container)
    for step in steps[:-1]:
        container = container[int(step)] if isinstance(container, list) else container.setdefault(step, {})
    return container, int(steps[-1]) if isinstance(container, list) else steps[-1]


def _edited(case: Mapping[str, Any]) -> list[Any]:
    """The sound release after the edits of a case: ``set``, ``remove`` and ``add`` (whole objects)."""
    # Parts that YAML shares are taken apart, or an edit would change two places.
    objects: list[Any] = json.loads(json.dumps(SOUND))
    for path, value in case.get("set", {}).items():
        container, key = _place(objects, path)
        if isinstance(container, list) and key == len(container):
            container.append(copy.deepcopy(value))
        else:
            container[key] = copy.deepcopy(value)
    for path in case.get("remove", []):
        container, key = _place(objects, path)
        del container[key]
    return objects + copy.deepcopy(case.get("add", []))


def _findings(case: Mapping[str, Any]) -> list[Finding]:
    return judge_manifests(
        _edited(case),
        source="fixture",
        namespace="inference",
        namespaces=["monitoring"],
        pod_security=case.get("pod_security", "restricted"),
    )


@pytest.mark.parametrize(("law_id", "case"), _cases("bad"))
def test_a_broken_release_is_caught_by_its_law_alone(law_id: str, case: Mapping[str, Any]) -> None:
    found = _findings(case)
    assert [(f.id, f.location.path) for f in found] == [(law_id, place) for place in sorted(case["finds"])]
    assert all(f.location.file == "fixture" and f.message and f.hint for f in found)


@pytest.mark.parametrize(("law_id", "case"), _cases("good"))
def test_what_looks_like_a_mistake_and_is_none_passes(law_id: str, case: Mapping[str, Any]) -> None:
    assert _findings(case) == []


def test_the_sound_release_breaks_no_law() -> None:
    assert _findings({}) == []


def test_every_law_has_a_fixture_and_every_fixture_a_law() -> None:
    assert set(READ) == {law.id for law in all_laws()}


def test_every_fixture_has_good_and_bad_cases() -> None:
    assert [law for law, parts in READ.items() if parts.keys() != {"good", "bad"} or not all(parts.values())] == []


def test_a_file_holds_one_law() -> None:
    modules = [type(law).__module__ for law in all_laws()]
    assert len(set(modules)) == len(modules)


def test_every_law_says_its_source_and_a_sentence() -> None:
    lacking = [law.id for law in all_laws() if not (law.source and (law.__doc__ or "").split("\n")[0].endswith("."))]
    assert lacking == []
