"""The objects of tests/fixtures/manifest_rules: sound.yaml with the edits of a case, checked by the manifest rules.

A path is ``Kind/name`` and the steps into the object, with spaces between them: ``Job/once spec parallelism``.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping
from pathlib import Path as File
from typing import Any

import yaml
from hint_words import last_key
from template_rule_follow import steps
from tree_edit import DELETE, Path, edit

from neuron_cluster.findings.finding import Finding
from neuron_cluster.schedulers.kubernetes.manifest_rules.run import check_manifests

FIXTURES = File(__file__).parents[1] / "tests" / "fixtures" / "manifest_rules"
STEP = re.compile(r"\[([^\]]*)\]|([^.\[\]]+)")


class ManifestCases:
    """``template_rule_follow.CheckedCases`` for the objects of a release."""

    separator = " "

    def tree(self, case: Mapping[str, Any]) -> Any:
        """The sound release after the edits of a case: ``set``, ``remove`` and ``add`` (whole objects)."""
        # Parts that YAML shares are taken apart, or an edit would change two places.
        objects = json.loads(sound_release())
        for text, value in case.get("set", {}).items():
            edit(objects, self.path(text, objects), value)
        for text in case.get("remove", []):
            edit(objects, self.path(text, objects), DELETE)
        for body in case.get("add", []):
            edit(objects, (len(objects),), body)
        return objects

    def judge(self, tree: Any, case: Mapping[str, Any]) -> list[Finding]:
        return check_manifests(
            tree,
            source="fixture",
            namespace="inference",
            namespaces=["monitoring"],
            pod_security=case.get("pod_security", "restricted"),
        )

    def path(self, text: str, tree: Any) -> Path:
        place, *rest = text.split(self.separator)
        return (_position(place, tree), *steps(rest))

    def place(self, finding: Finding, tree: Any) -> Path:
        place, _, path = finding.location.path.partition(" ")
        return (_position(place, tree), *steps(bracketed or plain for bracketed, plain in STEP.findall(path)))

    def named(self, path: Path, value: Any, tree: Any) -> tuple[str, ...]:
        """A whole object is called by its kind."""
        [position, *rest] = path
        if rest:
            return last_key(path, value)
        return ((tree[position] if value == DELETE else value)["kind"],)


def _position(place: str, objects: Any) -> int:
    """Returns the position of ``Kind/name``, the last one of two; past the end for a new one."""
    places = [f"{one['kind']}/{one['metadata'].get('name', '')}" for one in objects]
    return max((position for position, one in enumerate(places) if one == place), default=len(places))


@functools.cache
def sound_release() -> str:
    return json.dumps(yaml.load((FIXTURES / "sound.yaml").read_text("utf-8"), yaml.CSafeLoader))


def rule_fixtures() -> dict[str, dict[str, Any]]:
    """Returns each rule's fixture: ``good`` and ``bad`` cases, and perhaps ``follow`` for all of the bad ones."""
    return {
        file.stem: yaml.load(file.read_text("utf-8"), yaml.CSafeLoader) for file in sorted(FIXTURES.glob("E*.yaml"))
    }
