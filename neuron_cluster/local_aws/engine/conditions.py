"""A template's conditions.

Source: https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/conditions-section-structure.html
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from neuron_cluster.local_aws.engine.template import invalid_template
from neuron_cluster.local_aws.engine.values import as_text

CONDITION_FUNCTIONS = frozenset({"Fn::And", "Fn::Equals", "Fn::Not", "Fn::Or", "Condition"})


class Conditions:
    """Each condition's truth, found when first asked for.

    ``resolve`` turns the arguments of Fn::Equals into values.
    """

    def __init__(self, definitions: Mapping[str, Any], resolve: Callable[[Any], Any]) -> None:
        self._definitions = definitions
        self._resolve = resolve
        self._known: dict[str, bool] = {}
        self._asked: list[str] = []

    def holds(self, name: str) -> bool:
        """Raises ServiceError for an unknown condition and for one that depends on itself."""
        if name in self._known:
            return self._known[name]
        if name not in self._definitions:
            raise invalid_template(
                f"Template format error: Unresolved condition dependency {name} in the Resources block of the template"
            )
        if name in self._asked:
            raise invalid_template(
                f"Template error: Found circular condition dependency between {self._asked[-1]} and {name}"
            )
        self._asked.append(name)
        self._known[name] = self.truth(self._definitions[name])
        self._asked.pop()
        return self._known[name]

    def truth(self, expression: Any) -> bool:
        """The truth of one condition function."""
        match expression:
            case {"Condition": str(name)}:
                return self.holds(name)
            case {"Fn::Equals": [left, right]}:
                return bool(self._compared(left) == self._compared(right))
            case {"Fn::Not": [inner]}:
                return not self.truth(inner)
            case {"Fn::And": list(parts)}:
                return all(self.truth(part) for part in parts)
            case {"Fn::Or": list(parts)}:
                return any(self.truth(part) for part in parts)
            case {"Fn::Contains": [options, option]}:  # in Rules only
                return self._compared(option) in [self._compared(value) for value in self._resolve(options)]
        raise invalid_template(
            "Template format error: Conditions can only be boolean operations on parameters and other conditions"
        )

    def _compared(self, value: Any) -> Any:
        resolved = self._resolve(value)
        return resolved if isinstance(resolved, list | dict) else as_text(resolved)
