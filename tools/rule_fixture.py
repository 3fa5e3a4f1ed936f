"""Reads the fixtures of the rules (tests/fixtures/rules/<id>.yaml): a shipped environment plus edits.

    base: train-trn1                     # a file in environments/
    good: [{edits: {path: value}}]       # cases in which the rule must be silent
    bad:
      - edits: {eks.node_groups[1].efa: efa}
        path: eks.node_groups[1].efa     # where the rule must find something (paths: for several places)
        says: has no EFA interface       # what its message must hold
        also: [E3005]                    # other rules that find the same edits, next to those of the base
        catalog: {trn1.32xlarge: {launchable: false}}   # other fields of instance types, AMI types, DLAMIs
        lock: {kubernetes_version: "1.35", ami_releases: {AL2023_x86_64_NEURON: 1.35.6-20260714}}   # next to the file
        as_of: 2027-03-01                # the day that dated rules are asked for; without it they are not asked
        follow: [{"@": ~delete~}]        # how the hint is followed, see ``rule_follow``
    follow: [{"@": off}]                 # for every bad case that says nothing of its own

``~delete~`` removes a key; an index one past the end of a list appends. A lock may have ``dlamis`` (kind to AMI id),
``amis`` (AMI id to GiB), ``addons`` and ``charts`` (name to version), ``lustre_metadata``, ``network`` and
``slurm_image`` (its values in one text) too; good cases may have one as well, and a day.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any, TypeVar

import yaml
from merged_text import merged_text
from msgspec import Struct, field, structs
from msgspec.structs import asdict
from rule_follow import Follow, read_follows
from tree_edit import edit

from neuron_cluster.catalog.catalog import Catalog, load_catalog
from neuron_cluster.catalog.table import Table
from neuron_cluster.lock.model import (
    Lock,
    LockedAmiRelease,
    LockedArtifact,
    LockedImage,
    LockedNetwork,
    LockedSubnet,
)
from neuron_cluster.lock.paths import lock_path, locks_beside
from neuron_cluster.lock.writer import lock_text, write_lock
from neuron_cluster.providers.pcs.lock_part import PART, LockedSlurmImage

PROJECT = Path(__file__).parents[1]
FIXTURES = PROJECT / "tests" / "fixtures" / "rules"
CHART_VALUES = "eks.chart_values"
TableOfRows = TypeVar("TableOfRows", bound=Table[Any])


class Case(Struct, frozen=True):
    """One edited environment. ``paths`` is empty for a good one."""

    base: str
    edits: dict[str, Any]
    paths: tuple[str, ...] = ()
    says: str = ""
    also: tuple[str, ...] = ()
    catalog: Catalog = field(default_factory=load_catalog)
    lock: dict[str, Any] | None = None
    as_of: date | None = None
    follows: tuple[Follow, ...] = ()
    """Ways to follow the hint; empty where the fixture names none."""
    steps: tuple[dict[str, Any], ...] = ()
    """Edits on top of ``edits``, one after the other: hints that were followed."""

    def write(self, folder: Path, text: str | None = None) -> Path:
        """Writes the environment file, whose text may be known, and its lock if it has one; the path of the former."""
        file = folder / "environment.yaml"
        file.write_text(text or self.text(), encoding="utf-8")
        if self.lock is not None:
            tree = yaml.load(text or self.text(), Loader=yaml.CBaseLoader)  # noqa: S506 - as below
            lock = _lock(tree, self.lock)
            write_lock(lock_path(locks_beside(file), lock.environment), lock_text(lock, {}, "a test"))
        return file

    def text(self) -> str:
        """The environment file with the edits made."""
        return yaml.dump(_with_switches(self.tree()), sort_keys=False, Dumper=yaml.CSafeDumper)

    def tree(self) -> Any:
        """The environment with the edits made, every scalar as its text."""
        tree = base_tree(self.base)
        for edits in (self.edits, *self.steps):
            for path, value in edits.items():
                edit(tree, tuple(key_path(path)), value)
        return tree


def _with_switches(tree: Any) -> Any:
    """Without the quotes that YAML puts around the texts ``true`` and ``false``; values of charts have their types."""
    match tree:
        case dict():
            return {key: part if key == "chart_values" else _with_switches(part) for key, part in tree.items()}
        case list():
            return [_with_switches(part) for part in tree]
        case "true" | "false":
            return tree == "true"
        case _:
            return tree


class Fixture(Struct, frozen=True):
    """Everything that one rule is tried on."""

    good: tuple[Case, ...]
    bad: tuple[Case, ...]
    follows: tuple[Follow, ...] = ()
    """Ways to follow every hint of the rule that has none of its own."""


def catalog_with(changed: Mapping[str, Mapping[str, Any]]) -> Catalog:
    """The shipped catalog with other fields of some instance types, AMI types and DLAMIs: facts that no row has."""
    if not changed:
        return load_catalog()

    class Changed(Catalog):
        instance_types = _with_changes(Catalog.instance_types, changed)
        ami_types = _with_changes(Catalog.ami_types, changed)
        dlamis = _with_changes(Catalog.dlamis, changed)

    return Changed()


def _with_changes(table: TableOfRows, changed: Mapping[str, Mapping[str, Any]]) -> TableOfRows:
    return table.with_rows(structs.replace(row, **changed.get(row.name, {})) for row in table)


def key_path(path: str) -> list[str | int]:
    """The parts of ``eks.node_groups[1].name``."""
    return [int(part) if part.isdigit() else part for part in re.findall(r"[^.\[\]]+", path)]


def base_tree(name: str) -> Any:
    """A shipped environment, every scalar as its text."""
    return json.loads(_base_json(name))


@functools.cache
def _base_json(name: str) -> str:
    """As JSON, of which a copy is made a multiple faster than of a tree."""
    text = merged_text(PROJECT / "environments" / f"{name}.yaml")
    return json.dumps(yaml.load(text, Loader=yaml.CBaseLoader))  # noqa: S506 - strings only


def rule_fixture(rule_id: str) -> Fixture:
    """The fixture of a rule. Raises FileNotFoundError when it has none."""
    text = (FIXTURES / f"{rule_id}.yaml").read_text("utf-8")
    given = yaml.load(text, Loader=yaml.CBaseLoader)  # noqa: S506 - as above
    typed = yaml.load(text, Loader=yaml.CSafeLoader)
    good = tuple(
        Case(
            base=case.get("base", given["base"]),
            edits=_edits(case, typed["good"][position]),
            catalog=catalog_with(typed["good"][position].get("catalog", {})),
            lock=case.get("lock"),
            as_of=_day(case),
        )
        for position, case in enumerate(given["good"])
    )
    bad = tuple(
        Case(
            base=case.get("base", given["base"]),
            edits=_edits(case, typed["bad"][position]),
            paths=tuple(case.get("paths") or [case["path"]]),
            says=case["says"],
            also=tuple(case.get("also", ())),
            catalog=catalog_with(typed["bad"][position].get("catalog", {})),
            lock=case.get("lock"),
            as_of=_day(case),
            follows=read_follows(
                case.get("follow", given.get("follow", [])),
                typed["bad"][position].get("follow", typed.get("follow", [])),
            ),
        )
        for position, case in enumerate(given["bad"])
    )
    return Fixture(good, bad, read_follows(given.get("follow", []), typed.get("follow", [])))


def _edits(case: dict[str, Any], typed: dict[str, Any]) -> dict[str, Any]:
    """The edits as texts, but values of charts as YAML types them: only there quotes make a difference."""
    edits = case.get("edits") or {}
    return {path: typed["edits"][path] if path.startswith(CHART_VALUES) else edits[path] for path in edits}


def _day(case: dict[str, Any]) -> date | None:
    return date.fromisoformat(case["as_of"]) if "as_of" in case else None


def _lock(tree: Any, given: dict[str, Any]) -> Lock:
    """The lock of the environment; the images behind the releases are made up."""
    return Lock(
        environment=tree["name"],
        account=tree["account"],
        region=tree["region"],
        kubernetes_version=given.get("kubernetes_version"),
        ami_releases={
            name: LockedAmiRelease(release, "ami-0123456789abcdef0")
            for name, release in given.get("ami_releases", {}).items()
        },
        dlamis={name: LockedImage(image) for name, image in given.get("dlamis", {}).items()},
        amis={name: int(gib) for name, gib in given.get("amis", {}).items()},
        addons=given.get("addons", {}),
        charts={name: LockedArtifact(version, None) for name, version in given.get("charts", {}).items()},
        lustre_metadata=given.get("lustre_metadata"),
        network=_locked_network(given["network"]) if "network" in given else None,
        permission_sets=given.get("permission_sets", {}),
        parts={PART.key: asdict(LockedSlurmImage(*given[PART.key].split()))} if PART.key in given else {},
    )


def _locked_network(given: dict[str, Any]) -> LockedNetwork:
    """``subnets`` by id: zone id, CIDR and default route in one text."""
    return LockedNetwork(
        vpc_id=given["vpc_id"],
        cidrs=tuple(given["cidrs"]),
        endpoints=tuple(given.get("endpoints", ())),
        subnets={name: LockedSubnet(*each.split()) for name, each in given["subnets"].items()},
    )


def line_of(path: str, text: str) -> int:
    """The line of a key path in YAML text, found without the toolkit; of the nearest part around what is not there."""
    node, mark, rest = yaml.compose(text, Loader=yaml.CSafeLoader), 1, path
    while rest and isinstance(node, yaml.Node):
        step = _step(node, rest)
        if step is None:
            break
        mark, node, rest = step
    return mark


def _step(node: yaml.Node, rest: str) -> tuple[int, yaml.Node, str] | None:
    if isinstance(node, yaml.SequenceNode) and (match := re.match(r"\[(\d+)\]\.?", rest)):
        position = int(match[1])
        if position < len(node.value):
            return node.value[position].start_mark.line + 1, node.value[position], rest[match.end() :]
    if isinstance(node, yaml.MappingNode):
        for key, value in sorted(node.value, key=lambda pair: -len(pair[0].value)):
            if rest == key.value or rest.startswith((f"{key.value}.", f"{key.value}[")):
                return key.start_mark.line + 1, value, rest[len(key.value) :].removeprefix(".")
    return None
