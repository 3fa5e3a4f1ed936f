"""Writes the environment files with which two commits are compared: ``compared_files.py FOLDER MUTANTS SEED``.

It runs with the modules of the first commit. FOLDER becomes a project with

    environments/  fixtures/  deployed/    environment files of the commit, those that earlier commits deployed too
    rules/ID/      each case of a rule, and its lock
    mutants/       the environments after one to three random edits; the same seed gives the same files
    days.json      the day of the cases that have one
"""

from __future__ import annotations

import copy
import json
import shutil
import sys
import tarfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import yaml

ROOT = Path.cwd()
HUGE = (0, -1, 99_999_999_999_999_999_999, 1e308)
EMPTY = (None, "", [], {})
EDITS = (1, 1, 1, 2, 3)
"""Numbers of edits, one of which is drawn: after a single edit most files still have a plan."""
Place = tuple[Any, Any]
"""A mapping or a list, and a key or a position of it."""


def places(tree: Any) -> Iterator[Place]:
    """Yields each place of a tree of mappings and lists."""
    inner = list(tree.items()) if isinstance(tree, dict) else list(enumerate(tree)) if isinstance(tree, list) else []
    for key, value in inner:
        yield tree, key
        yield from places(value)


class Mutator:
    """Draws edits; new values are those that the same key has elsewhere in the given trees."""

    def __init__(self, trees: Sequence[Any], seed: int) -> None:
        self._random = Random(seed)  # noqa: S311 - no secret
        self._values: defaultdict[str, list[Any]] = defaultdict(list)
        for parent, key in (place for tree in trees for place in places(tree)):
            if isinstance(parent, dict) and parent[key] not in self._values[key]:
                self._values[key].append(parent[key])

    def mutant(self, tree: Any) -> Any:
        """Returns a copy of an environment after some edits."""
        mutant = copy.deepcopy(tree)
        for _ in range(self._random.choice(EDITS)):
            parent, key = self._random.choice([*places(mutant)])
            self._random.choice(MUTATIONS)(self, parent, key)
        return mutant

    def delete(self, parent: Any, key: Any) -> None:
        """Removes a key or an item."""
        del parent[key]

    def replace(self, parent: Any, key: Any) -> None:
        """Writes another value of the same key, a scalar or a whole section, or another item of the same list."""
        known = parent if isinstance(parent, list) else self._values[key]
        others = [value for value in known if value != parent[key]]
        parent[key] = copy.deepcopy(self._random.choice(others or [None]))

    def add(self, parent: Any, key: Any) -> None:
        """Adds an item twice, or a key that a mapping at this key has elsewhere."""
        if isinstance(parent, list):
            parent.insert(key, copy.deepcopy(parent[key]))
            return
        others = [value for value in self._values[key] if isinstance(value, dict) and value]
        if isinstance(parent[key], dict) and others:
            name, value = self._random.choice([*self._random.choice(others).items()])
            parent[key][name] = copy.deepcopy(value)
        else:
            self.replace(parent, key)

    def change_type(self, parent: Any, key: Any) -> None:
        """Writes the value as text or as an item of a list."""
        parent[key] = self._random.choice([[parent[key]], str(parent[key])])

    def make_huge(self, parent: Any, key: Any) -> None:
        """Writes a number that no key accepts."""
        parent[key] = self._random.choice(HUGE)

    def empty(self, parent: Any, key: Any) -> None:
        """Writes null, or an empty text, list or mapping."""
        parent[key] = copy.deepcopy(self._random.choice(EMPTY))

    def misspell(self, parent: Any, key: Any) -> None:
        """Exchanges two letters of a key, or of a text in a list."""
        word = str(parent[key] if isinstance(parent, list) else key)
        at = self._random.randrange(max(1, len(word) - 1))
        wrong = word[:at] + word[at : at + 2][::-1] + word[at + 2 :]
        if isinstance(parent, list):
            parent[key] = wrong
        else:
            parent[wrong] = parent.pop(key)


Mutation = Callable[[Mutator, Any, Any], None]
MUTATIONS: tuple[Mutation, ...] = (
    *(Mutator.replace, Mutator.replace, Mutator.replace, Mutator.add, Mutator.add, Mutator.delete, Mutator.delete),
    *(Mutator.change_type, Mutator.make_huge, Mutator.empty, Mutator.misspell),
)


def write_mutants(folder: Path, trees: Sequence[Any], others: Sequence[Any], count: int, seed: int) -> None:
    """Writes mutants of each tree in turn; ``others`` are further trees whose values they may get."""
    folder.mkdir(parents=True, exist_ok=True)
    mutator = Mutator([*trees, *others], seed)
    for number in range(count):
        mutant = mutator.mutant(trees[number % len(trees)])
        (folder / f"{number:05}.yaml").write_text(yaml.safe_dump(mutant, sort_keys=False), "utf-8")


def write_cases(folder: Path) -> tuple[list[Any], dict[str, str]]:
    """Writes the cases of all rules; returns their trees, and the day of each file that has one."""
    from rule_fixture import FIXTURES, rule_fixture

    trees, days = [], {}
    for rule_id in sorted(file.stem for file in FIXTURES.glob("*.yaml")):
        fixture = rule_fixture(rule_id)
        for number, case in enumerate((*fixture.good, *fixture.bad)):
            name = f"rules/{rule_id}/{number:03}"
            (folder / name).mkdir(parents=True)
            trees.append(_tree(case.write(folder / name)))
            if case.as_of is not None:
                days[f"{name}/environment.yaml"] = case.as_of.isoformat()
    return trees, days


def main(arguments: Sequence[str]) -> None:
    folder, count, seed = Path(arguments[0]), int(arguments[1]), int(arguments[2])
    shutil.copytree(ROOT / "environments", folder / "environments")
    shutil.copy(ROOT / "cdk.json", folder)
    for source in (ROOT / "tests" / "fixtures" / name for name in ("environments", "two_regions")):
        shutil.copytree(source, folder / "fixtures" / source.name)
    for archive in sorted((ROOT / "tests" / "fixtures" / "deployed").glob("*.tar.xz")):
        with tarfile.open(archive) as files:
            members = [member for member in files.getmembers() if member.name.endswith(".yaml")]
            files.extractall(folder / "deployed" / archive.name.partition(".")[0], members, filter="data")
    cases, days = write_cases(folder)
    for name in ("bases", "locks"):  # which mutants refer to, as their originals do
        shutil.copytree(folder / "environments" / name, folder / "mutants" / name)
    shipped = [_tree(file) for file in sorted((folder / "environments").glob("*.yaml"))]
    write_mutants(folder / "mutants", shipped, cases, count, seed)
    (folder / "days.json").write_text(json.dumps(days), "utf-8")


def _tree(file: Path) -> Any:
    return yaml.load(file.read_text("utf-8"), Loader=yaml.CSafeLoader)


if __name__ == "__main__":
    main(sys.argv[1:])
