"""A template's conditions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from local_aws.cloudformation.errors import TemplateError
from local_aws.cloudformation.values import UNKNOWN, Unknown, as_text, is_known

Truth = bool | Unknown


class Conditions:
    """Each condition's truth, computed when it is first needed: UNKNOWN where a compared value is not known.

    ``resolve`` turns the arguments of Fn::Equals into values.
    """

    def __init__(self, definitions: Mapping[str, Any], resolve: Callable[[Any], Any]) -> None:
        self._definitions = definitions
        self._resolve = resolve
        self._known: dict[str, Truth] = {}
        self._open: list[str] = []

    def holds(self, name: str) -> Truth:
        """Raises TemplateError for a condition that is not defined and for one that depends on itself."""
        if name in self._known:
            return self._known[name]
        if name not in self._definitions:
            raise TemplateError("no_condition", name=name)
        if name in self._open:
            raise TemplateError("circular_condition", first=self._open[-1], second=name)
        self._open.append(name)
        try:
            self._known[name] = self.truth(self._definitions[name])
        finally:
            self._open.pop()
        return self._known[name]

    def truth(self, expression: Any) -> Truth:
        """The truth of one condition function."""
        match expression:
            case {"Condition": str(name)}:
                return self.holds(name)
            case {"Fn::Equals": [left, right]}:
                return self._equal(left, right)
            case {"Fn::Not": [inner]}:
                truth = self.truth(inner)
                return not truth if isinstance(truth, bool) else truth
            case {"Fn::And": list(parts)}:
                return _decided_by(False, map(self.truth, parts))
            case {"Fn::Or": list(parts)}:
                return _decided_by(True, map(self.truth, parts))
            case {"Fn::Contains": [options, option]}:  # in Rules only
                return _decided_by(True, (self._equal(option, each) for each in self._resolve(options)))
        raise TemplateError("condition")

    def _equal(self, left: Any, right: Any) -> Truth:
        values = self._resolve(left), self._resolve(right)
        if not all(map(is_known, values)):
            return UNKNOWN
        one, other = (value if isinstance(value, list | dict) else as_text(value) for value in values)
        return bool(one == other)


def _decided_by(decisive: bool, parts: Iterable[Truth]) -> Truth:
    """``decisive`` as soon as one part is; its opposite when all parts are that."""
    result: Truth = not decisive
    for part in parts:
        if part is decisive:
            return decisive
        if part is UNKNOWN:
            result = UNKNOWN
    return result
