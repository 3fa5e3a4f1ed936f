"""Where a resource differs from the properties that its template gives it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct

from local_aws.cloudformation.values import as_text

Place = tuple[str | int, ...]
"""Names of properties and positions in lists, from the resource's properties down."""


class PropertyDifference(Struct, frozen=True):
    """One difference, as CloudFormation tells them. Expected or actual is None where nothing stands."""

    place: Place
    kind: Literal["ADD", "REMOVE", "NOT_EQUAL"]
    expected: Any
    actual: Any

    @property
    def pointer(self) -> str:
        """``/Tags/0/Value``."""
        return "".join(f"/{step}" for step in self.place)

    @property
    def pattern(self) -> str:
        """The same for every item of a list: ``Tags/*/Value``."""
        return "/".join("*" if isinstance(step, int) else step for step in self.place)


def property_differences(expected: Any, actual: Any, place: Place = ()) -> list[PropertyDifference]:
    """Returns the parts of ``expected`` that are missing or different in ``actual``, and further items of its lists.

    Members that only ``actual`` has are what the service adds by default: no difference. Lists have no order.
    A number or truth value and its text are the same to CloudFormation.
    """
    if isinstance(expected, Mapping) and isinstance(actual, Mapping):
        found: list[PropertyDifference] = []
        for name, value in expected.items():
            if name in actual:
                found += property_differences(value, actual[name], (*place, name))
            else:
                found.append(PropertyDifference((*place, name), "REMOVE", value, None))
        return found
    if isinstance(expected, list) and isinstance(actual, list):
        return _differences_of_lists(expected, actual, place)
    if _is_scalar(expected) and _is_scalar(actual) and as_text(expected) == as_text(actual):
        return []
    return [PropertyDifference(place, "NOT_EQUAL", expected, actual)]


def _differences_of_lists(expected: list[Any], actual: list[Any], place: Place) -> list[PropertyDifference]:
    """Items that are equal belong together, then those that are alike; the rest is missing or more."""
    missing, more = dict(enumerate(expected)), dict(enumerate(actual))
    found: list[PropertyDifference] = []
    for position, item in list(missing.items()):
        other = next((n for n, each in more.items() if not property_differences(item, each)), None)
        if other is not None:
            del missing[position], more[other]
    for position, item in list(missing.items()):
        likest = _closest_match(item, more)
        if likest is not None:
            found += property_differences(item, more.pop(likest), (*place, position))
            del missing[position]
    found += [PropertyDifference((*place, n), "REMOVE", item, None) for n, item in missing.items()]
    more = {n: item for n, item in more.items() if not _is_attribute(item, place)}
    found += [PropertyDifference((*place, n), "ADD", None, item) for n, item in more.items()]
    return found


def _is_attribute(item: Any, place: Place) -> bool:
    """Whether it is an entry of ``LoadBalancerAttributes`` and the like: the service has one for each key."""
    name = str(place[-1]) if place else ""
    return name.endswith("Attributes") and isinstance(item, Mapping) and item.keys() == {"Key", "Value"}


def _closest_match(item: Any, others: Mapping[int, Any]) -> int | None:
    """The one with the fewest differences, of those that may be the item after a change."""
    differences = {n: len(property_differences(item, each)) for n, each in others.items() if _are_alike(item, each)}
    return min(differences, key=lambda n: differences[n], default=None)


def _are_alike(expected: Any, actual: Any) -> bool:
    """Whether one may be the other after a change: structures that agree somewhere."""
    both = isinstance(expected, Mapping) and isinstance(actual, Mapping)
    return both and any(name in actual and not property_differences(expected[name], actual[name]) for name in expected)


def _is_scalar(value: Any) -> bool:
    return isinstance(value, str | int | float)
