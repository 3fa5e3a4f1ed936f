"""Findings whose hint has the values that the toolkit computes: they are written into the text of a template."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.findings.finding import Finding
from neuron_cluster.starter.block_edit import with_keys
from neuron_cluster.upgrade.file_edit import FileEdit, edited_text, scalar_values

FOLLOWED = ("E1010", "E4016")
"""Subnets and a Lustre file system that are too small for the instances of a model."""
COMMENTS = {
    "secondary_cidrs": "# Addresses for nodes and pods: the subnets of the VPC are too small for all of them.",
}
_OTHERWISE = re.compile(r"[;,] or ")
_NEXT = re.compile(r" and (?=(?:set )?[a-z_.]+: )|, (?=set )")
_EDIT = re.compile(r"(?:(?:set|write) )?(?P<key>[a-z_.]+): (?P<value>\[.*\]|\S+)(?: for (?P<groups>.+))?")


def with_followed_hints(text: str, findings: Iterable[Finding]) -> str:
    """The text with the keys of the first way out that each of these findings names. Comments of other keys stay."""
    for finding in findings:
        if finding.id in FOLLOWED:
            for part in _NEXT.split(_OTHERWISE.split(finding.hint)[0]):
                for path, value in _edits(part, finding, text):
                    text = _with_value(text, path, value)
    return text


def _edits(part: str, finding: Finding, text: str) -> Iterator[tuple[KeyPath, str]]:
    found = _EDIT.match(part)
    if found is None:
        return
    key, value, groups = found["key"], found["value"], found["groups"]
    if groups is not None:
        names = re.split(r", | and ", groups)
        values = scalar_values(text).items()
        yield from (((*path[:-1], key), value) for path, name in values if path[-1] == "name" and name in names)
    else:
        around = () if "." in key else tuple(finding.location.path.split(".")[:-1])
        yield (*around, *key.split(".")), value


def _with_value(text: str, path: KeyPath, value: str) -> str:
    given = scalar_values(text)
    if path in given:
        return edited_text(text, [FileEdit(path, given[path], value, "for the instances")])
    name = str(path[-1])
    return with_keys(text, path[:-1], {name: (*filter(None, [COMMENTS.get(name)]), f"{name}: {value}")})
