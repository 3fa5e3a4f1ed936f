"""A drawn file becomes one without an error: what the findings point at is taken out, or put in from a shipped file.

Most drawn files break several rules. Drawing until one breaks none would take minutes for each; the findings say where
to mend.
"""

from __future__ import annotations

import copy
import functools
import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from known_names import KnownNames
from merged_text import merged_text
from model_values import Kind, Values
from yaml_text import Tree, yaml_of

from neuron_cluster.config.fields import fields_at
from neuron_cluster.config.scalars import ZONE_ID_PATTERN
from neuron_cluster.findings.finding import Finding, Severity
from neuron_cluster.pipeline import Checked, check_environment
from tests.existing_vpc import write_lock_of
from tests.five_teams import FIVE, NAMES

ENVIRONMENTS = Path(__file__).parents[2] / "environments"
FIXTURES = Path(__file__).parents[1] / "fixtures" / "environments"
ROUNDS = 10
"""Rounds of mending; a few uncover what another error hid, the others climb to the section around."""

UNLIKELY = ("W3003", "W3025", "W3033")
"""Warnings of what AWS refuses as far as anybody knows; mended too where a file is to be deployed."""
NO_IMAGE = "W2140"
"""Slurm nodes without an AMI: the commands write no template of such a file (E9563), so it is mended like an error."""
EXISTING = "existing"
MAX_EXCHANGES = 2
"""In one file; each costs a check for every known name."""

Keys = tuple[str | int, ...]


@functools.cache
def shipped() -> tuple[Tree, ...]:
    """The shipped files, the smallest first, then one with teams, which none of them has.

    Without those in a VPC that exists: they are valid with a lock only.
    """
    texts = sorted((merged_text(path) for path in ENVIRONMENTS.glob("*.yaml")), key=len)
    read = (yaml.load(text, Loader=yaml.CBaseLoader) for text in texts)  # noqa: S506 - texts only
    trees = [tree for tree in read if EXISTING not in tree["network"]]
    teams = next(copy.deepcopy(tree) for tree in trees if tree["name"] == "train-trn1")
    teams["eks"]["node_groups"][1] |= {"queue": "training", "team": NAMES[0]}  # a budget counts the cost of a group
    topic = "arn:aws:sns:us-west-2:111122223333:cost"  # of the account and Region of the file
    budget = {"usd_month": 1000, "notify": ["research-leads@example.com"], "thresholds": [80, 100], "topic_arn": topic}
    added = {"budget": copy.deepcopy(budget), "teams": [{**FIVE[0], "budget": budget}, *FIVE[1:]]}
    return (*trees, {**teams, **yaml.load(yaml.safe_dump(added), Loader=yaml.CBaseLoader)})  # noqa: S506


@functools.cache
def with_slurm() -> tuple[Tree, ...]:
    """The shipped files with Slurm, then the one with storage and teams that the goldens have."""
    golden = FIXTURES / "slurm-storage.yaml"
    read: Tree = yaml.load(golden.read_text("utf-8"), Loader=yaml.CBaseLoader)  # noqa: S506 - texts only
    return (*(tree for tree in shipped() if "slurm" in tree), read)


@functools.lru_cache(maxsize=512)
def checked(text: str) -> Checked:
    """Returns the toolkit's result for a file with this text; one in an existing VPC has its lock."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "environment.yaml"
        file.write_text(text, encoding="utf-8")
        tree = yaml.load(text, Loader=yaml.CBaseLoader) if EXISTING in text else {}  # noqa: S506 - texts only
        if EXISTING in tree.get("network", {}):
            write_lock_of(file, tree)
        return check_environment(file)


def problems(tree: Tree, *, deployable: bool) -> list[Finding]:
    """Errors, and of what no template is written; of what is to be deployed also the warnings that it will fail."""
    mended = (NO_IMAGE, *UNLIKELY) if deployable else (NO_IMAGE,)
    return [f for f in checked(yaml_of(tree)).findings if f.severity is Severity.ERROR or f.id in mended]


def repaired(tree: Tree, known: KnownNames, wanted: Sequence[str], *, deployable: bool) -> Tree | None:
    """The tree, mended until it has no problem; None when that is not to be had. Tries to keep the path ``wanted``."""
    tree = copy.deepcopy(tree)
    met: Counter[Keys] = Counter()
    exchanges = 0
    for _ in range(ROUNDS):
        found = problems(tree, deployable=deployable)
        if not found:
            return tree
        places = {keys_of(finding.location.path, tree) for finding in found}
        for keys in sorted(places, key=str, reverse=True):  # from the last item of a list: the others stay in place
            # The same place again: what stands around it is the cause.
            mended = copy.deepcopy(tree)
            mend(mended, keys[: max(len(keys) - met[keys] // 2, 1)], known)
            met[keys] += 1
            if exchanges < MAX_EXCHANGES and holds(tree, wanted) and not holds(mended, wanted):
                exchanges += 1
                mended = exchanged(tree, keys, known, deployable=deployable) or mended
            tree = mended
    return None


def holds(node: Any, wanted: Sequence[str]) -> bool:
    if not wanted or isinstance(node, list):
        return not wanted or any(holds(item, wanted) for item in node)
    key = wanted[0].removesuffix("[]")
    return isinstance(node, Mapping) and key in node and holds(node[key], wanted[1:])


def exchanged(tree: Tree, keys: Keys, known: KnownNames, *, deployable: bool) -> Tree | None:
    """Returns the tree with another choice next to or above the place, such as an instance type, with fewer problems.

    Next to the place one is enough with which the place has none: an excluded key, such as the capacity of a file
    system with another storage type, is mended next.
    """
    now = len(problems(tree, deployable=deployable))
    for length in range(len(keys) - 1, 0, -1):
        for key, field in fields_at(keys[:length]).items():
            for choice in Values(known).choices(Kind.of(field)):
                other = copy.deepcopy(tree)
                container = node_at(other, keys[:length])
                if not isinstance(container, dict):
                    return None
                container[key] = choice
                found = problems(other, deployable=deployable)
                is_beside = length == len(keys) - 1
                if len(found) < now or (is_beside and keys not in {keys_of(f.location.path, other) for f in found}):
                    return other
    return None


def mend(tree: Tree, keys: Keys, known: KnownNames) -> None:
    """Takes out what stands at the path; where something must stand, puts in what a shipped file has there."""
    around = node_at(tree, keys[:-1])
    key = keys[-1]
    if isinstance(around, list) and isinstance(key, int):
        del around[key : key + 1]
    elif isinstance(around, dict):
        field = fields_at(keys[:-1]).get(str(key))
        good = graft(keys, known)
        if key in around and (field is None or not field.is_required()):
            del around[key]
        elif good is None:
            mend(tree, keys[:-1], known)
        elif isinstance(good, list) and isinstance(around.get(key), list):
            around[key] = [*good, *(item for item in around[key] if item not in good)]
        else:
            around[str(key)] = good


def graft(keys: Keys, known: KnownNames) -> Any:
    """Returns a shipped file's value at the path, in zones of this environment; of a list of mappings the first."""
    pattern = tuple(0 if isinstance(key, int) else key for key in keys)
    for tree in shipped():
        found = node_at(tree, pattern)
        if found is not None:
            one = found[:1] if isinstance(found, list) and isinstance(found[0], dict) else found
            return moved(one, known, sorted(zones_in(tree)))
    return None


def moved(node: Any, known: KnownNames, zones: Sequence[str]) -> Any:
    """A copy with the first zone of the shipped file's in place of our first, and so on."""
    if isinstance(node, Mapping):
        return {key: moved(item, known, zones) for key, item in node.items()}
    if isinstance(node, list):
        return [moved(item, known, zones) for item in node]
    return known.zones[zones.index(node) % len(known.zones)] if node in zones else node


def zones_in(node: Any) -> Iterator[str]:
    items = node.values() if isinstance(node, Mapping) else node if isinstance(node, list) else ()
    for item in items:
        yield from zones_in(item)
    if isinstance(node, str) and re.search(ZONE_ID_PATTERN, node):
        yield node


def node_at(node: Any, keys: Keys) -> Any:
    """Returns the value at the place, or None."""
    for key in keys:
        if isinstance(node, Mapping):
            node = node.get(key)
        elif isinstance(node, list) and isinstance(key, int) and key < len(node):
            node = node[key]
        else:
            return None
    return node


def keys_of(path: str, tree: Any) -> Keys:
    """The keys of a spelled path, ``eks.node_groups[0].count``; a key may hold dots and brackets of its own."""
    keys: list[str | int] = []
    node, rest = tree, path
    while rest:
        if item := re.match(r"\[(\d+)\]\.?", rest):
            keys.append(int(item[1]))
        else:
            written = list(node) if isinstance(node, Mapping) else []
            longest = sorted((key for key in written if (rest + ".").startswith((f"{key}.", f"{key}["))), key=len)
            item = re.match(re.escape(longest[-1]) + r"\.?" if longest else r"[^.\[]+\.?|.+", rest)
            keys.append(longest[-1] if longest else str(item and item[0].removesuffix(".")))
        assert item is not None
        rest = rest[item.end() :]
        node = node_at(node, (keys[-1],))
    return tuple(keys) or ("name",)
