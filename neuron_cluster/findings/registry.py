"""Every finding id of the toolkit, in one place: ``explain``, the generated pages and the SARIF output read it.

Each package that makes findings has a module ``finding_specs`` with a function of that name. The modules are found by
their place and imported on the first query, so that ``validate`` does not load them.
"""

from __future__ import annotations

import functools
import importlib
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import cast

from neuron_cluster.findings.spec import FindingSpec

MODULE = "finding_specs"
ROOT = Path(__file__).parents[1]


@functools.cache
def finding_specs() -> Mapping[str, FindingSpec]:
    """Every finding by id, in the order of the numbers."""
    return by_id(_every_spec())


def by_id(specs: Iterable[FindingSpec]) -> Mapping[str, FindingSpec]:
    """In the order of the numbers. Raises ``RuntimeError`` when two share an id."""
    found: dict[str, FindingSpec] = {}
    for spec in sorted(specs, key=lambda spec: spec.id[1:]):
        if spec.id in found:
            raise RuntimeError(f"two findings have the id {spec.id}: {found[spec.id].title} {spec.title}")
        found[spec.id] = spec
    return found


def specs_of_topic(topic: str) -> list[FindingSpec]:
    """The findings of a chapter: ``E3`` or ``3`` for chapter 3, ``E82`` for EKS; empty for any other text."""
    found = re.fullmatch(r"[EW]?([0-9]{1,3})", topic.strip().upper())
    return [spec for spec in finding_specs().values() if found and spec.id[1:].startswith(found[1])]


def _every_spec() -> Iterator[FindingSpec]:
    for file in sorted(ROOT.rglob(f"{MODULE}.py")):
        module = ".".join((ROOT.name, *file.relative_to(ROOT).with_suffix("").parts))
        yield from cast("Iterable[FindingSpec]", getattr(importlib.import_module(module), MODULE)())
