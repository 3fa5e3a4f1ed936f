"""Environment files at random: the shipped ones with valid edits, each of one field.

Values come from the model's fields: enums, limits, patterns, and the catalog's names that a pattern admits.
"""

from __future__ import annotations

import builtins
import copy
import enum
import re
import tempfile
import typing
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import assume
from hypothesis import strategies as st
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.config.fields import key_of, models_in, walk_fields
from neuron_cluster.line import check_environment

Tree = dict[str, Any]
Edits = Callable[..., st.SearchStrategy[tuple[str, Tree, Tree]]]

SHIPPED = sorted((Path(__file__).parents[2] / "environments").glob("*.yaml"))
FIELDS = dict(walk_fields())
TRIES = 12
"""Candidates for an edit; the first one without an error is taken."""
ASCII = st.characters(min_codepoint=33, max_codepoint=126)
WORDS = st.text("abcdefgh", min_size=1, max_size=8)


@pytest.fixture(scope="session")
def edits() -> Edits:
    """Draws (pattern path, tree before, tree after): both trees without an error, and different."""
    return one_edit


@st.composite
def one_edit(draw: st.DrawFn, path: str | None = None) -> tuple[str, Tree, Tree]:
    """An edit of ``path``, by default of any field, in an environment that was edited up to two times before."""
    tree = draw(shipped())
    for _ in range(draw(st.integers(0, 2))):
        tree = draw(edit_of(tree, draw(st.sampled_from(list(FIELDS)))))[1]
    path = path or draw(st.sampled_from(list(FIELDS)))
    before, after = draw(edit_of(tree, path))
    assume(after != before)
    return path, before, after


@st.composite
def shipped(draw: st.DrawFn) -> Tree:
    """A shipped file; half of the time with a public endpoint, which takes two edits at once."""
    tree: Tree = yaml.load(draw(st.sampled_from(SHIPPED)).read_text(), Loader=yaml.BaseLoader)  # noqa: S506 - texts only
    if "eks" in tree and draw(st.booleans()):
        tree["eks"]["endpoint"] = {"access": "public_and_private", "public_access_cidrs": ["203.0.113.0/24"]}
    return tree


@st.composite
def edit_of(draw: st.DrawFn, tree: Tree, path: str) -> tuple[Tree, Tree]:
    """A tree in which the field can stand, and the same with another value; twice the same where none was found."""
    for _ in range(TRIES):
        before = copy.deepcopy(tree)
        place, key = enter(draw, before, path), path.rsplit(".", maxsplit=1)[-1]
        if before != tree and not is_valid(before):
            continue
        changed = copy.deepcopy(place)
        field = FIELDS[path]
        if key in changed and not field.is_required() and draw(st.integers(0, 4)) == 0:
            del changed[key]
        else:
            changed[key] = draw(values(field.annotation, field.metadata, before["region"], changed.get(key)))
        after = replaced(before, place, changed)
        if after != before and is_valid(after):
            return before, after
    return tree, tree


def enter(draw: st.DrawFn, tree: Tree, path: str) -> Tree:
    """The mapping in which a field stands; what is missing on the way is put into the tree."""
    parts = path.split(".")
    place = tree
    for position, part in enumerate(parts[:-1]):
        key, below = part.removesuffix("[]"), parts[position + 1].removesuffix("[]")
        pattern = ".".join(parts[: position + 1])
        field = FIELDS[pattern.removesuffix("[]")]
        models = [model for model in models_in(field.annotation) if below in fields_of(model)]
        if not place.get(key) or (len(models_in(field.annotation)) > 1 and below not in place[key]):
            made = draw(st.one_of([mappings(model, tree["region"], below) for model in models]))
            place[key] = [made] if part.endswith("[]") else made
        place = place[key]
        if part.endswith("[]"):
            place = place[draw(st.integers(0, len(place) - 1))]
    return place


def replaced(node: Any, part: Tree, by: Tree) -> Any:
    """A copy of the tree with one of its mappings, the very same object, exchanged."""
    if node is part:
        return by
    if isinstance(node, dict):
        return {key: replaced(item, part, by) for key, item in node.items()}
    return [replaced(item, part, by) for item in node] if isinstance(node, list) else node


def fields_of(model: type[BaseModel]) -> dict[str, FieldInfo]:
    return {key_of(name, field): field for name, field in model.model_fields.items()}


def is_valid(tree: Tree) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "environment.yaml"
        file.write_text(yaml.safe_dump(tree))
        return check_environment(file).plan is not None


def known_names(region: str) -> list[str]:
    """Names that mean something to the catalog; a field takes those that its pattern admits."""
    catalog = load_catalog()
    rows = (catalog.instance_types, catalog.kubernetes_versions, catalog.neuron_sdks, catalog.endpoint_services)
    networks = ["10.64.0.0/16", "10.96.0.0/17", "172.30.0.0/16", "198.51.100.0/24", "203.0.113.0/24"]
    releases = [f"{row.name}.{patch}-20260714" for row in catalog.kubernetes_versions for patch in (1, 2)]
    return [row.name for kind in rows for row in kind] + [*catalog.zone_ids(region), *networks, *releases]


def limits_of(metadata: list[Any], name: str) -> Any:
    return next((getattr(item, name) for item in metadata if getattr(item, name, None) is not None), None)


def texts(metadata: list[Any], region: str) -> st.SearchStrategy[str]:
    pattern = limits_of(metadata, "pattern")
    if pattern is None:
        return WORDS
    known = [name for name in known_names(region) if re.search(pattern, name)]
    return st.sampled_from(known) if known else st.from_regex(pattern.removesuffix("$") + r"\Z", alphabet=ASCII)


def whole_numbers(metadata: list[Any], now: Any) -> st.SearchStrategy[str]:
    """Any number that the field admits, and often one near, or a multiple of, what stands there now."""
    least, most = limits_of(metadata, "ge") or 0, limits_of(metadata, "le") or 10_000
    here = int(now) if isinstance(now, str) and now.isdigit() else 1_200
    near = [n for n in (here * 2, here * 3, here + 1, here - 1, here // 2, here + 2_400) if least <= n <= most]
    numbers = st.integers(least, most)
    return (st.sampled_from(near) | numbers if near else numbers).map(str)


def values(annotation: Any, metadata: list[Any], region: str, now: Any = None) -> st.SearchStrategy[Any]:
    """What may stand in a field of this type, as the texts of a file."""
    arguments = typing.get_args(annotation)
    match typing.get_origin(annotation):
        case typing.Annotated:
            inner = [part for item in arguments[1:] for part in getattr(item, "metadata", [item])]
            found = values(arguments[0], [*metadata, *inner], region, now)
        case typing.Literal:
            found = st.sampled_from([str(argument) for argument in arguments])
        case builtins.list:
            found = lists(values(arguments[0], [], region), now)
        case builtins.dict:
            found = st.dictionaries(WORDS, WORDS, max_size=3)
        case None:
            found = plain_values(annotation, metadata, region, now)
        case _:  # a union
            wanted = [argument for argument in arguments if argument is not type(None)]
            found = st.one_of([values(argument, metadata, region, now) for argument in wanted])
    return found


def plain_values(kind: type, metadata: list[Any], region: str, now: Any) -> st.SearchStrategy[Any]:
    """Values of a type that is no container."""
    if issubclass(kind, BaseModel):
        return mappings(kind, region)
    if issubclass(kind, enum.Enum):
        return st.sampled_from([member.value for member in kind])
    if kind is bool:
        return st.sampled_from(["true", "false"])
    return whole_numbers(metadata, now) if kind is int else texts(metadata, region)


def lists(items: st.SearchStrategy[Any], now: Any) -> st.SearchStrategy[Any]:
    """One more, one less, another order, or something new."""
    if not isinstance(now, list) or not now:
        return st.lists(items, max_size=3)
    more = items.map(lambda item: [*now, item])
    less = st.integers(0, len(now) - 1).map(lambda position: now[:position] + now[position + 1 :])
    return more | less | st.permutations(now).map(list) | st.lists(items, max_size=3)


@st.composite
def mappings(draw: st.DrawFn, model: type[BaseModel], region: str, key: str | None = None) -> Tree:
    """A mapping of a model: what is required, ``key``, and some of what is optional."""
    tree: Tree = {}
    for written, field in fields_of(model).items():
        if field.is_required() or written == key or draw(st.integers(0, 3)) == 0:
            tree[written] = draw(values(field.annotation, field.metadata, region))
    return tree
