"""Whether a condition of a statement is met.

https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-logic-multiple-context-keys-or-values.html
https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-single-vs-multi-valued-context-keys.html
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from local_aws.cloudformation.values import as_text
from neuron_cluster.access.errors import PolicyError
from neuron_cluster.access.operators import NULL, OPERATORS, Operator
from neuron_cluster.access.patterns import expanded, is_condition_key
from neuron_cluster.access.request import Request

IF_EXISTS = "IfExists"
FOR_ALL, FOR_ANY = "ForAllValues", "ForAnyValue"


class Condition(Struct, frozen=True):
    """One key of one operator, such as ``ForAnyValue:StringLikeIfExists``, taken apart."""

    name: str
    """The operator."""
    key: str
    values: tuple[str, ...]
    quantifier: str = ""
    if_exists: bool = False

    @property
    def operator(self) -> Operator:
        return OPERATORS[self.name]


def conditions_of(element: Any) -> Iterator[Condition]:
    """All must be met. Raises ``PolicyError`` for an operator or key that IAM does not have."""
    if not isinstance(element, Mapping):
        raise PolicyError(f"Condition is {element!r}; it must be operators with their keys")
    for written, keys in element.items():
        for key, values in keys.items():
            if not is_condition_key(key):
                raise PolicyError(f"{key} is not a condition key of IAM")
            yield _condition(written, key, values if isinstance(values, list | tuple) else [values])


def _condition(written: str, key: str, values: list[Any] | tuple[Any, ...]) -> Condition:
    quantifier, _, rest = written.rpartition(":")
    name = rest.removesuffix(IF_EXISTS)
    is_known = name in OPERATORS and quantifier in ("", FOR_ALL, FOR_ANY)
    if not is_known or (name == NULL and written != NULL):
        raise PolicyError(f"{written} is not a condition operator of IAM")
    if any(not isinstance(value, str | bool | int | float) for value in values):
        raise PolicyError(f"{written} of {key}: {values!r} are not texts, numbers or truth values")
    return Condition(name, key, tuple(map(as_text, values)), quantifier, rest != name)


def is_met(condition: Condition, request: Request, *, has_variables: bool) -> bool:
    """A plain operator does not accept an absent key, a negated one does, and so do IfExists and ForAllValues."""
    found = request.values(condition.key)
    if condition.name == NULL:
        return any(condition.operator.compare(as_text(not found), value) for value in condition.values)
    if not found:
        absent_is_accepted = condition.quantifier == FOR_ALL or (
            not condition.quantifier and condition.operator.negated
        )
        return condition.if_exists or absent_is_accepted
    if not condition.quantifier and len(found) > 1:
        raise PolicyError(f"{condition.key} has several values: {condition.name} requires {FOR_ALL} or {FOR_ANY}")
    wanted = _wanted(condition, request, has_variables=has_variables)
    if wanted is None:
        return False
    quantified = all if condition.quantifier == FOR_ALL else any
    return quantified(_is_accepted(condition.operator, value, wanted) for value in found)


def _wanted(condition: Condition, request: Request, *, has_variables: bool) -> list[str] | None:
    """The values of the policy; None where a variable has no value, so that the statement does not apply."""
    if not has_variables:
        return list(condition.values)
    if not condition.operator.takes_variables:
        if any("${" in value for value in condition.values):
            raise PolicyError(f"{condition.name} of {condition.key}: IAM has no policy variables there")
        return list(condition.values)
    values = [expanded(value, request) for value in condition.values]
    return None if None in values else [value for value in values if value is not None]


def _is_accepted(operator: Operator, value: str, wanted: list[str]) -> bool:
    return any(operator.compare(value, each) for each in wanted) != operator.negated
