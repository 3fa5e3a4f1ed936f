"""Findings as SARIF 2.1.0, which code scanning services and editors read.

Source: https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/sarif-v2.1.0-errata01-os-complete.html.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from neuron_cluster.findings.finding import Finding, Location, in_reading_order
from neuron_cluster.findings.spec import CONSEQUENCE, FindingSpec

VERSION = "2.1.0"
SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
TOOL = "neuron-cluster"
ADDRESS = re.compile(r"https://[^\s,;()]+[^\s,;().]")


def sarif_log(
    findings: Sequence[Finding], specs: Mapping[str, FindingSpec], *, version: str, files: Mapping[str, PurePath]
) -> dict[str, Any]:
    """One SARIF log with one run. ``version`` is the toolkit's.

    ``files`` has the path, relative to the working directory or absolute, of each location that is a file; any other
    location (a stack, a name on the command line) becomes a logical location alone.
    """
    ordered = in_reading_order(findings)
    ids = sorted({finding.id for finding in ordered})
    driver = {
        "name": TOOL,
        "semanticVersion": version,
        "rules": [_rule(specs[finding_id]) for finding_id in ids],
    }
    results = [
        {
            "ruleId": finding.id,
            "ruleIndex": ids.index(finding.id),
            "level": finding.severity.value,
            "message": {"text": _message(finding)},
            "locations": _locations(finding.location, files.get(finding.location.file)),
            **_related(finding.location.extended_by, files),
        }
        for finding in ordered
    ]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": SCHEMA, "version": VERSION, "runs": [run]}


def _rule(spec: FindingSpec) -> dict[str, Any]:
    """``reportingDescriptor``; ``helpUri`` is the first address of the source, where it has one."""
    address = ADDRESS.search(spec.source)
    reason = _unwrapped(spec.reason)
    consequence = f"{CONSEQUENCE}{_unwrapped(spec.consequence)}" if spec.consequence else ""
    paragraphs = [part for part in (spec.title, reason, consequence) if part]
    return {
        "id": spec.id,
        "shortDescription": {"text": spec.title},
        "fullDescription": {"text": "\n\n".join(paragraphs)},
        "help": {"text": f"{reason}\n\nSource: {spec.source}\n\n`{TOOL} explain {spec.id}` shows an example."},
        **({"helpUri": address[0]} if address else {}),
        "defaultConfiguration": {"level": spec.severity},
        "properties": {"tags": [spec.chapter.partition(": ")[2]]},
    }


def _unwrapped(text: str) -> str:
    """Docstrings have lines of 120 columns."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.split("\n\n"))


def _message(finding: Finding) -> str:
    return f"{finding.message}\nhint: {finding.hint}" if finding.hint else finding.message


def _locations(location: Location, file: PurePath | None) -> list[dict[str, Any]]:
    """One, or none for a finding about no place."""
    found: dict[str, Any] = {}
    if file is not None:
        found["physicalLocation"] = {"artifactLocation": {"uri": _uri(file)}}
        if location.line:
            column = {"startColumn": location.column} if location.column else {}
            found["physicalLocation"]["region"] = {"startLine": location.line, **column}
    name = location.path if file is not None else "/".join(part for part in (location.file, location.path) if part)
    if name:
        kind = {"kind": "property" if file is not None else "resource"} if location.path else {}
        found["logicalLocations"] = [{"fullyQualifiedName": name, **kind}]
    return [found] if found else []


def _related(environment: str, files: Mapping[str, PurePath]) -> dict[str, Any]:
    """The environment file, of a finding in its base."""
    file = files.get(environment)
    if file is None:
        return {}
    text = f"{environment} extends this file"
    return {
        "relatedLocations": [
            {**location, "message": {"text": text}} for location in _locations(Location(environment), file)
        ]
    }


def _uri(file: PurePath) -> str:
    """A file below the working directory is relative, as code scanning services want it; any other has its scheme."""
    return file.as_uri() if file.is_absolute() else quote(file.as_posix())
