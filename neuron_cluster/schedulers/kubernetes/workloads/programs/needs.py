"""The rows of the catalog for a container: by the words of its command line and the framework of its image."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from local_kubernetes.model.fields import at, items
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.program_need import ProgramNeed

SHELL_WORD = re.compile(r"[\s;|&$()\"']+")


def needs_of(body: Mapping[str, Any], framework: str | None, catalog: Catalog) -> Iterator[ProgramNeed]:
    """The rows for a container, in the order of the catalog; for an image without a known framework, those for all."""
    programs = {_program(word) for word in words_of(body)}
    for need in catalog.program_needs:
        if programs & set(need.programs) and (not need.frameworks or framework in need.frameworks):
            yield need


def words_of(body: Mapping[str, Any]) -> list[str]:
    """The words of command and arguments, those of shell scripts apart."""
    given = [str(each) for each in (*items(body.get("command")), *items(body.get("args")))]
    return [word for each in given for word in SHELL_WORD.split(each) if word]


def variables_of(body: Mapping[str, Any]) -> dict[str, str]:
    """Variables with a value; the last one of a name counts, as in a container."""
    return {str(at(each, "name")): str(at(each, "value") or "") for each in items(body.get("env"))}


def _program(word: str) -> str:
    return word.partition("=")[0] if word.startswith("-") else word.rpartition("/")[2]
