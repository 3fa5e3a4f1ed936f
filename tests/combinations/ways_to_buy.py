"""Every way to buy a machine that the environment file's model can say, generated from the model."""

from __future__ import annotations

import enum
import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, get_args

from pydantic import BaseModel

from neuron_cluster.config.capacity import Capacity

DATES = ("starts", "ends")
"""When a block runs: rules ask for it, no launch template and no node group holds it."""


@dataclass(frozen=True)
class Way:
    """One kind of capacity with a value for each of its choices, and the keys in which it names capacity."""

    kind: str
    choices: tuple[tuple[str, str], ...]
    names: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join([self.kind, *(value for _, value in self.choices), *self.names])

    @property
    def match(self) -> str | None:
        return dict(self.choices).get("match")

    def capacity(self, named: Mapping[str, str]) -> dict[str, str]:
        """The mapping that the file has under ``capacity``; ``named`` has what each name stands for."""
        return {"kind": self.kind, **dict(self.choices), **{name: named[name] for name in self.names}}


def ways_to_buy() -> Iterator[Way]:
    """Each member of the union, times each value of its enumerations, times each set of its optional names."""
    union, _discriminator = get_args(Capacity)
    for member in get_args(union):
        yield from _ways_of(member)


def _ways_of(member: type[BaseModel]) -> Iterator[Way]:
    fields: dict[str, Any] = {
        name: field for name, field in member.model_fields.items() if name != "kind" and name not in DATES
    }
    (kind,) = get_args(member.model_fields["kind"].annotation)
    choices = {name: field.annotation for name, field in fields.items() if _is_enumeration(field.annotation)}
    required = [name for name, field in fields.items() if field.is_required()]
    optional = [name for name in fields if name not in choices and name not in required]
    sets = itertools.chain.from_iterable(itertools.combinations(optional, size) for size in range(len(optional) + 1))
    for values, names in itertools.product(itertools.product(*choices.values()), list(sets)):
        yield Way(kind, tuple(zip(choices, (str(value) for value in values), strict=True)), (*required, *names))


def _is_enumeration(annotation: object) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, enum.Enum)
