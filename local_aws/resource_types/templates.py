"""Parameters with ``{Name}`` in them, and physical ids that are made of names."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import jmespath

NAME = re.compile(r"\{([^{}]+)\}")
ABSENT: Any = object()


class Place(Protocol):
    """Where a request belongs."""

    @property
    def account(self) -> str: ...

    @property
    def region(self) -> str: ...


class Values:
    """Values of names in templates; ``later`` returns further ones when the first do not have a name."""

    def __init__(
        self,
        context: Place,
        given: Mapping[str, Any],
        later: Callable[[], Mapping[str, Any]] | None = None,
    ) -> None:
        self.context = context
        self.given = given
        self._later = later

    def over(self, further: Mapping[str, Any]) -> Values:
        """With further ones where these do not have a name."""
        return Values(self.context, {**further, **self.given})

    def get(self, names: str) -> Any:
        """Returns the first of ``A/B`` that has a value; None without one."""
        for name in names.split("/"):
            if (value := self._one(name)) is not None:
                return value
        return None

    def _one(self, name: str) -> Any:
        own = {"@account": self.context.account, "@region": self.context.region}
        value = own.get(name, self.given.get(name))
        if value is None and "." in name and not name.startswith("@"):
            value = found(name, dict(self.given))
        if value is None and self._later is not None:
            self.given = {**self._later(), **self.given}
            self._later = None
            value = self.given.get(name)
        return value


def names_in(template: Any) -> set[str]:
    """All names of a template."""
    if isinstance(template, Mapping):
        return {name for each in template.values() for name in names_in(each)}
    if isinstance(template, list):
        return {name for each in template for name in names_in(each)}
    found_names = NAME.findall(template) if isinstance(template, str) else []
    return {each for names in found_names for each in names.split("/")}


def filled(template: Any, values: Values) -> Any:
    """The template with values; members whose names have none are left out, and structures of which nothing is left."""
    if isinstance(template, Mapping):
        members = {name: filled(each, values) for name, each in template.items()}
        empty = {n for n, each in members.items() if each == {} and isinstance(template[n], Mapping) and template[n]}
        return {name: each for name, each in members.items() if each is not ABSENT and name not in empty}
    if isinstance(template, list):
        items = [filled(each, values) for each in template]
        return ABSENT if ABSENT in items else items
    if isinstance(template, str) and NAME.search(template):
        value = formatted(template, values)
        return ABSENT if value is None else value
    return template


def formatted(template: str, values: Values) -> Any:
    """The text; of a template that is one name alone the value itself. None when a name has no value."""
    if whole := NAME.fullmatch(template):
        return values.get(whole[1])
    found_values = [values.get(name) for name in NAME.findall(template)]
    if None in found_values:
        return None
    return NAME.sub(lambda match: str(values.get(match[1])), template)


def parts_of(template: str, text: str) -> dict[str, str] | None:
    """The names of the template with their parts of the text; None for a text of another form."""
    pattern, names = _pattern(template)
    matched = pattern.fullmatch(text)
    if matched is None:
        return None
    parts: dict[str, str] = {}
    for name, part in zip(names, matched.groups(), strict=True):
        for each in name.split("/"):
            parts[each] = part
        parts[name] = part
    return {name: part for name, part in parts.items() if name != "_"}


def part_of(name: str, path: str, row: Mapping[str, Any]) -> Any:
    """Returns the value of a row at the path; with ``=>`` the named part of that text."""
    place, arrow, template = path.partition(" => ")
    value = found(place, row)
    return (parts_of(template, value) or {}).get(name) if arrow and isinstance(value, str) else value


@functools.cache
def _pattern(template: str) -> tuple[re.Pattern[str], list[str]]:
    pieces = NAME.split(template)
    pattern = "".join("(.+)" if at % 2 else re.escape(piece) for at, piece in enumerate(pieces))
    return re.compile(pattern, re.DOTALL), pieces[1::2]


def found(path: str, value: Any) -> Any:
    """Returns the result of the JMESPath expression."""
    return _compiled(path).search(value)


@functools.cache
def _compiled(path: str) -> Any:
    return jmespath.compile(path)


def put_at(parameters: dict[str, Any], path: str, value: Any) -> None:
    """Sets the member at ``Outer.Inner``."""
    *outer, last = path.split(".")
    for name in outer:
        parameters = parameters.setdefault(name, {})
    parameters[last] = value
