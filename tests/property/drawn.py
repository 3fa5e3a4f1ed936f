"""Environments at random, and edits of them: from the model itself, or around a shipped file."""

from __future__ import annotations

import copy
import functools
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st
from known_names import KnownNames, all_known_names
from model_values import Kind, Values
from pydantic import BaseModel
from pydantic.fields import FieldInfo
from repair import Keys, holds, node_at, problems, repaired, shipped, zones_in
from yaml_text import Edit, Environment, Tree

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.config.environment_config import EXTENDS, environment_model
from neuron_cluster.config.fields import key_of, models_in, walk_fields

FIELDS = dict(walk_fields())
OF_AN_ACCOUNT = ("network.existing", "storage.checkpoint_bucket.existing", "storage.key_arn", "storage.lustre.existing")
"""Resources that exist: no drawn environment has an account with them."""
OF_RESERVED_CAPACITY = ("match", "reservation_id", "resource_group", "starts", "ends", "ultraserver")
NEVER_VALID = tuple(f"slurm.login.capacity.{key}" for key in OF_RESERVED_CAPACITY)
"""A login group runs on demand (E2105)."""
PATHS = [path for path in FIELDS if path != EXTENDS and not path.startswith((*OF_AN_ACCOUNT, *NEVER_VALID))]
"""Without the base, which is another file."""
SELDOM = 10
"""Once in so many times a part of a shipped file is left out."""
TRIES = 12
"""Candidates for an edit; the first one without an error is taken."""
MET: Counter[str] = Counter()
"""How the drawn environments fared: without an error at once, after repair, given up."""


def environments(path: str | None = None) -> st.SearchStrategy[Environment]:
    """Environments without an error, most of them with the field of the pattern path in it (default: any)."""
    return places(path, deployable=False).map(lambda found: Environment(found[0]))


@st.composite
def edits(draw: st.DrawFn, path: str | None = None) -> Edit:
    """An edit of one field, by default of any, from one file that can be deployed to another."""
    chosen = path or draw(st.sampled_from(PATHS))
    tree, known = draw(places(chosen, deployable=True))
    if not list(containers(tree, chosen)):  # the repair took the section out
        assume(path is None)
        chosen = draw(st.sampled_from([other for other in PATHS if any(containers(tree, other))]))
    after = draw(edited(tree, known, chosen))
    assume(after is not None and after != tree)
    return Edit(chosen, tree, after or tree)


@st.composite
def places(draw: st.DrawFn, path: str | None, *, deployable: bool) -> tuple[Tree, KnownNames]:
    """An environment without an error, and the names that it chooses from."""
    wanted = (path or draw(st.sampled_from(PATHS))).split(".")
    if draw(st.integers(0, 2)) < 2:
        known = draw(st.sampled_from(all_known_names()))
        tree = draw(Values(known).mapping(environment_model(), wanted))
    else:
        tree = copy.deepcopy(draw(st.sampled_from([one for one in shipped() if holds(one, wanted)] or shipped())))
        zones = [*load_catalog().regions.zone_ids(tree["region"])]
        known = KnownNames(tree["region"], tuple(sorted({*zones_in(tree)} | {*zones[:4]})))
        draw(thinned(tree, environment_model()))
        draw(filled_in(tree, environment_model(), known, wanted))
    MET["with errors as drawn" if problems(tree, deployable=False) else "without an error as drawn"] += 1
    found = repaired(tree, known, wanted, deployable=deployable)
    MET["given up"] += found is None
    assume(found is not None)
    return found or tree, known


@st.composite
def thinned(draw: st.DrawFn, tree: Tree, model: type[BaseModel]) -> None:
    """Takes out some of what a shipped file could do without: all of it in the simplest example."""
    for key, field in _fields(model).items():
        if key not in tree:
            continue
        if not field.is_required() and draw(st.integers(0, SELDOM)) == 0:
            del tree[key]
            continue
        for inner in models_in(field.annotation):
            if isinstance(tree[key], list):
                tree[key] = [item for item in tree[key] if draw(st.integers(0, SELDOM)) > 0]
            for item in tree[key] if isinstance(tree[key], list) else [tree[key]]:
                draw(thinned(item, inner))


@st.composite
def filled_in(draw: st.DrawFn, tree: Tree, model: type[BaseModel], known: KnownNames, wanted: Sequence[str]) -> None:
    """Puts what is missing on the way to a field into the tree."""
    node: Any = tree
    models: Sequence[type[BaseModel]] = (model,)
    for position, part in enumerate(wanted):
        key, below = part.removesuffix("[]"), wanted[position + 1 :]
        field = next(_fields(member)[key] for member in models if key in _fields(member))
        models = models_in(field.annotation)
        there = node.get(key)
        other_member = len(models) > 1 and isinstance(there, dict) and below and below[0] not in there
        if not there or other_member:
            node[key] = draw(Values(known).of(Kind.of(field), below))
            return
        node = draw(st.sampled_from(there)) if isinstance(there, list) and below else there


@st.composite
def edited(draw: st.DrawFn, tree: Tree, known: KnownNames, path: str) -> Tree | None:
    """The tree with another value, or none, in one of the field's places; None when no candidate will do."""
    field, key = FIELDS[path], path.rsplit(".", maxsplit=1)[-1]
    found = list(containers(tree, path))
    for _ in range(TRIES):
        after = copy.deepcopy(tree)
        container = node_at(after, draw(st.sampled_from(found)))
        if key in container and not field.is_required() and draw(st.integers(0, 4)) == 4:
            del container[key]
        else:
            container[key] = draw(Values(known).of(Kind.of(field), now=container.get(key)))
        if after != tree and not problems(after, deployable=True):
            return after
    return None


def containers(tree: Tree, path: str) -> Iterator[Keys]:
    """Every mapping of the tree in which the field may stand: of a union the member that has it."""
    *around, key = path.split(".")
    yield from _containers(tree, (), around, key)


def _containers(node: Any, above: Keys, around: Sequence[str], key: str) -> Iterator[Keys]:
    if not around:
        if isinstance(node, dict) and (key in node or key in _keys_beside(above, node)):
            yield above
        return
    part, below = around[0].removesuffix("[]"), around[1:]
    inside = node.get(part) if isinstance(node, dict) else None
    if isinstance(inside, list):
        for position, item in enumerate(inside):
            yield from _containers(item, (*above, part, position), below, key)
    elif inside is not None:
        yield from _containers(inside, (*above, part), below, key)


def _keys_beside(above: Keys, node: Tree) -> set[str]:
    """The fields of the model that the mapping is of."""
    pattern = ""
    for part in above:
        pattern += "[]" if isinstance(part, int) else f".{part}" if pattern else part
    models = models_in(FIELDS[pattern.removesuffix("[]")].annotation) if pattern else (environment_model(),)
    fitting = [model for model in models if {*node} <= _fields(model).keys()]
    return {key for model in fitting for key in _fields(model)}


@functools.cache
def _fields(model: type[BaseModel]) -> dict[str, FieldInfo]:
    return {key_of(name, field): field for name, field in model.model_fields.items()}
