"""Strategies computed from pydantic models: what may stand in a mapping of a model, whatever fields it has."""

from __future__ import annotations

import builtins
import enum
import re
import typing
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hypothesis import strategies as st
from pydantic import BaseModel
from pydantic.fields import FieldInfo
from yaml_text import Tree

from neuron_cluster.config.checkpoint_bucket import CheckpointBucket
from neuron_cluster.config.environment_config import EXTENDS
from neuron_cluster.config.fields import key_of, models_in
from neuron_cluster.config.lustre import Lustre
from neuron_cluster.config.network import Network
from neuron_cluster.config.storage import Storage

NameChoice = Callable[[Sequence[Any]], Sequence[str]]
"""From a field's examples to the names among which one must be chosen; none when it takes free text."""

ASCII = st.characters(min_codepoint=33, max_codepoint=126)
WITH_SPACE = st.characters(min_codepoint=32, max_codepoint=126)
"""Characters of patterns whose texts have spaces, such as schedules."""
WORDS = "abcdefgh"
PRINTABLE = st.characters(codec="utf-8", exclude_categories=("C", "Z"))
NEAR = 20
"""How far from its least a number mostly is."""
RARELY = 5
"""Once in so many times a number or text is any that the field admits."""
FAR = 10_000
"""The greatest number where the model says none."""


@dataclass(frozen=True)
class Kind:
    """A type with what its ``Annotated`` and its field say about it."""

    annotation: Any
    metadata: tuple[Any, ...] = ()
    examples: tuple[Any, ...] = ()

    @classmethod
    def of(cls, field: FieldInfo) -> Kind:
        return cls(field.annotation, tuple(field.metadata), tuple(field.examples or ()))

    def limit(self, name: str) -> Any:
        """``ge``, ``pattern``, … of the constraints."""
        return next((getattr(m, name) for m in self.metadata if getattr(m, name, None) is not None), None)

    def inside(self) -> Kind:
        """Without the outer ``Annotated``."""
        inner, *said = typing.get_args(self.annotation)
        fields = [item for item in said if isinstance(item, FieldInfo)]
        found = [part for item in said for part in (item.metadata if isinstance(item, FieldInfo) else [item])]
        examples = [example for field in fields for example in field.examples or ()]
        return Kind(inner, (*self.metadata, *found), (*self.examples, *examples))

    def item(self) -> Kind:
        """Returns the kind of the items of a list of this kind."""
        return Kind(typing.get_args(self.annotation)[0], (), tuple(i for e in self.examples for i in e))


@dataclass(frozen=True)
class Values:
    """Draws values for the fields of models, as the texts of a file."""

    names: NameChoice
    seldom: int = 3
    """An optional field is there once in so many mappings."""

    def mapping(self, model: type[BaseModel], wanted: Sequence[str] = ()) -> st.SearchStrategy[Tree]:
        """A mapping of a model: what is required, some of what is optional, and the field at the path ``wanted``."""
        return _mappings(self, model, tuple(part.removesuffix("[]") for part in wanted))

    def of(self, kind: Kind, wanted: Sequence[str] = (), now: Any = None) -> st.SearchStrategy[Any]:
        """A value of this kind. ``now``, what stands there, makes small changes of it likely."""
        arguments = typing.get_args(kind.annotation)
        match typing.get_origin(kind.annotation):
            case typing.Annotated:
                found = self.of(kind.inside(), wanted, now)
            case typing.Literal:
                found = st.sampled_from([str(argument) for argument in arguments])
            case builtins.list:
                found = self._lists(kind, wanted, now)
            case builtins.dict if _is_free(kind.annotation):
                found = st.sampled_from([{}, *map(_as_texts, kind.examples)])
            case builtins.dict:
                key, value = (self.of(Kind(argument)) for argument in arguments)
                found = st.dictionaries(key, value, max_size=3)
            case None:
                found = self._plain(kind, wanted, now)
            case _:  # a union
                found = self._unions(
                    [replace(kind, annotation=a) for a in arguments if a is not type(None)], wanted, now
                )
        return found

    def named(self, kind: Kind) -> list[str]:
        """The names among which a text of this kind chooses; none when it is free, or no text."""
        kind = _plain_kind(kind)
        pattern = kind.limit("pattern") or ""
        return (
            [name for name in self.names(kind.examples) if re.search(pattern, name)] if kind.annotation is str else []
        )

    def choices(self, kind: Kind) -> list[str]:
        """The values among which a field of this kind chooses: names, members, and the examples of a number."""
        plain = _plain_kind(kind)
        if typing.get_origin(plain.annotation) is typing.Literal:
            return [str(argument) for argument in typing.get_args(plain.annotation)]
        if isinstance(plain.annotation, type) and issubclass(plain.annotation, enum.Enum):
            return [str(member.value) for member in plain.annotation]
        return [str(example) for example in plain.examples] if plain.annotation is int else self.named(plain)

    def _unions(self, kinds: Sequence[Kind], wanted: Sequence[str], now: Any) -> st.SearchStrategy[Any]:
        if wanted:  # only some of the models may have the field
            kinds = [kind for kind in kinds if has_field(models_in(kind.annotation), wanted[0])] or kinds
        return st.one_of([self.of(kind, wanted, now) for kind in kinds])

    def _plain(self, kind: Kind, wanted: Sequence[str], now: Any) -> st.SearchStrategy[Any]:
        known: type = kind.annotation
        if issubclass(known, BaseModel):
            return self.mapping(known, wanted)
        if issubclass(known, enum.Enum):
            return st.sampled_from([str(member.value) for member in known])
        if known is bool:
            return st.sampled_from(["true", "false"])
        if known is int:
            return numbers(kind, now).map(str)
        if known is float:
            return st.decimals("0.001", str(kind.limit("le") or 1000), places=3).map(lambda found: f"{found:f}")
        assert known is str, f"the strategies have no values for {known}; add them here"
        return self._texts(kind)

    def _texts(self, kind: Kind) -> st.SearchStrategy[str]:
        minimum, maximum, pattern = kind.limit("min_length") or 0, kind.limit("max_length"), kind.limit("pattern")
        if names := self.named(kind):
            return st.sampled_from(names)
        if pattern is not None:
            examples = [example for example in kind.examples if re.search(pattern, str(example))]
            free = st.from_regex(pattern.removesuffix("$") + r"\Z", alphabet=WITH_SPACE if " " in pattern else ASCII)
            return (st.sampled_from(examples) | free) if examples else free
        texts = st.text(WORDS, min_size=max(minimum, 1), max_size=min(maximum or 8, 8))
        return st.one_of(*[texts] * RARELY, st.text(PRINTABLE, min_size=minimum, max_size=min(maximum or 300, 300)))

    def _lists(self, kind: Kind, wanted: Sequence[str], now: Any) -> st.SearchStrategy[list[Any]]:
        """Something new; of a list that is there also one more, one less, or another order."""
        minimum = max(kind.limit("min_length") or 0, 1 if wanted else 0)
        items = self.of(kind.item(), wanted)
        new = st.lists(items, min_size=minimum, max_size=max(minimum, 3))
        if not isinstance(now, list) or not now:
            return new
        more = items.map(lambda item: [*now, item])
        less = st.integers(0, len(now) - 1).map(lambda position: now[:position] + now[position + 1 :])
        return st.one_of(more, less, st.permutations(now).map(list), new)


def _plain_kind(kind: Kind) -> Kind:
    """Without ``Annotated`` and unions: of those the first member."""
    while typing.get_origin(kind.annotation) not in (None, builtins.list, builtins.dict, typing.Literal):
        if typing.get_origin(kind.annotation) is typing.Annotated:
            kind = kind.inside()
        else:
            kind = replace(kind, annotation=typing.get_args(kind.annotation)[0])
    return kind


def _is_free(annotation: Any) -> bool:
    """Whether something in it may be anything, so that only the examples say what makes sense."""
    return annotation is Any or any(map(_is_free, typing.get_args(annotation)))


def _as_texts(value: Any) -> Any:
    """An example as the tree of a file: every scalar its text."""
    if isinstance(value, dict):
        return {key: _as_texts(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_as_texts(item) for item in value]
    return str(value).lower() if isinstance(value, bool) else str(value)


OF_AN_ACCOUNT = {Network: {"existing"}, CheckpointBucket: {"existing"}, Storage: {"key_arn"}, Lustre: {"existing"}}
"""Optional keys that name resources of an account, which no drawn environment has."""
ALTERNATIVES = {Network: {"cidr", "availability_zones"}}
"""Keys that are required without those."""


@st.composite
def _mappings(draw: st.DrawFn, values: Values, model: type[BaseModel], wanted: tuple[str, ...]) -> Tree:
    tree: Tree = {}
    for name, field in model.model_fields.items():
        key = key_of(name, field)
        if key == EXTENDS or key in OF_AN_ACCOUNT.get(model, ()):  # the base is another file
            continue
        is_wanted = key == (wanted[0] if wanted else None)
        # Absent is the simpler choice: an example shrinks by losing keys.
        is_required = field.is_required() or key in ALTERNATIVES.get(model, ())
        if is_required or is_wanted or draw(st.integers(1, values.seldom)) == values.seldom:
            tree[key] = draw(values.of(Kind.of(field), wanted[1:] if is_wanted else ()))
    return tree


def has_field(models: Sequence[type[BaseModel]], key: str) -> bool:
    return any(key == key_of(name, field) for model in models for name, field in model.model_fields.items())


def numbers(kind: Kind, now: Any) -> st.SearchStrategy[int]:
    """Small ones, multiples and parts of the example and of what stands there, and now and then any."""
    minimum, maximum = kind.limit("ge") or 0, kind.limit("le") or FAR
    heres = [int(n) for n in (*kind.examples, now) if str(n).isdigit()]
    scaled = {n for here in heres for n in (here, here * 2, here * 3, here // 2, here // 4, here + 1, here - 1)}
    near = sorted((n for n in {*scaled, minimum} if minimum <= n <= maximum), key=lambda n: (abs(n), n))
    likely = st.sampled_from(near) | st.integers(minimum, min(maximum, minimum + NEAR))
    return st.one_of(*[likely] * RARELY, st.integers(minimum, maximum))
