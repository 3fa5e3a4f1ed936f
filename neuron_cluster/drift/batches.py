"""Resources of one type that one call returns: their rows are kept as the answers to the calls for each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from local_aws.resource_types.binding import Binding, bindings
from local_aws.resource_types.readers import reader_of
from local_aws.resource_types.templates import NAME, Values, filled, found
from neuron_cluster.aws.errors import AwsApiError
from neuron_cluster.aws.resource_source import ResourceSource
from neuron_cluster.drift.readings import Place

IDS_OF_ONE_CALL = 100
"""Filters of EC2 take 200 values: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/Using_Filtering.html"""
MEMBER = re.compile(r"\w+")


class _Batch(Struct, frozen=True):
    """One operation that lists resources by their ids."""

    service: str
    operation: str
    template: Mapping[str, Any]
    """Parameters in which one list has the name of a part of the physical id."""
    path: str
    """JMESPath of what is read in the answer."""


def read_together(source: ResourceSource, places: Iterable[Place]) -> None:
    """Calls each operation that takes several ids once for a hundred resources.

    Where one of them is gone the service rejects the call, and each is read by its own later. So too after any other
    error, which every caller then gets.
    """
    by_type: dict[str, list[str]] = {}
    for place in places:
        by_type.setdefault(place.type, []).append(place.physical_id)
    for kind, ids in by_type.items():
        if kind in bindings() and len(ids) > 1:
            for batch in _batches(bindings()[kind]):
                _read(source, batch, kind, ids)


def _batches(bound: Binding) -> Iterator[_Batch]:
    calls = [(bound.read.operation, bound.read.parameters, bound.rows)]
    calls += [(each.operation, each.parameters, each.path) for each in bound.also_read]
    for operation, parameters, path in calls:
        service, _, name = operation.rpartition(":")
        if len(list(_named_lists(parameters))) == 1 and len(NAME.findall(str(parameters))) == 1:
            yield _Batch(service or bound.service, name, parameters, path)


def _named_lists(value: Any) -> Iterator[list[str]]:
    """Lists with the name of one part of the physical id, and nothing else."""
    if isinstance(value, Mapping):
        for part in value.values():
            yield from _named_lists(part)
    elif isinstance(value, list):
        if len(value) == 1 and isinstance(value[0], str) and NAME.fullmatch(value[0]):
            yield value
        else:
            for part in value:
                yield from _named_lists(part)


def _read(source: ResourceSource, batch: _Batch, kind: str, physical_ids: list[str]) -> None:
    reader = reader_of(kind)
    single = {each: filled(batch.template, Values(source, reader.parts(source, each))) for each in physical_ids}
    ids = {each: next(iter(_given_list(single[each], batch.template))) for each in physical_ids}
    for start in range(0, len(physical_ids), IDS_OF_ONE_CALL):
        chunk = physical_ids[start : start + IDS_OF_ONE_CALL]
        together = _with_list(batch.template, [ids[each] for each in chunk])
        try:
            answer = source.answer(batch.service, batch.operation, together)
        except AwsApiError:
            continue
        for physical_id, part in _divided(answer, batch.path, [(each, ids[each]) for each in chunk]):
            source.keep(batch.service, batch.operation, single[physical_id], part)


def _given_list(value: Any, template: Any) -> list[str]:
    """The list at the place where the template has the name of a part."""
    if isinstance(template, Mapping):
        return next((each for name in template if (each := _given_list(value[name], template[name]))), [])
    if isinstance(template, list):
        if len(template) == 1 and isinstance(template[0], str):
            return list(value) if NAME.fullmatch(template[0]) else []
        return next((each for a, b in zip(value, template, strict=True) if (each := _given_list(a, b))), [])
    return []


def _with_list(template: Any, ids: list[str]) -> Any:
    """The parameters with all ids."""
    if isinstance(template, Mapping):
        return {name: _with_list(part, ids) for name, part in template.items()}
    if isinstance(template, list):
        is_named = len(template) == 1 and isinstance(template[0], str) and NAME.fullmatch(template[0])
        return ids if is_named else [_with_list(part, ids) for part in template]
    return template


def _divided(answer: Mapping[str, Any], path: str, ids: list[tuple[str, str]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The answer that each id alone would have got."""
    members = [name for name in MEMBER.findall(path) if isinstance(answer.get(name), list)]
    if not members:
        return
    rows = found(members[0], dict(answer))
    is_top = any(wanted in _texts(row, deep=False) for row in rows for _, wanted in ids)
    for physical_id, wanted in ids:
        own = [row for row in rows if wanted in _texts(row, deep=not is_top)]
        yield physical_id, {**answer, members[0]: own}


def _texts(row: Any, *, deep: bool) -> set[str]:
    if isinstance(row, str):
        return {row}
    parts = row.values() if isinstance(row, Mapping) else row if isinstance(row, list) else ()
    return {text for part in parts if deep or isinstance(part, str) for text in _texts(part, deep=deep)}
