"""YAML with CloudFormation's short forms: ``!Ref X``, ``!GetAtt A.B``, ``!Sub …``."""

from __future__ import annotations

from typing import Any

import yaml

_WITHOUT_PREFIX = frozenset({"Ref", "Condition"})


class AliasInTemplate(yaml.YAMLError):
    """CloudFormation reads none."""


class ShortFormLoader(yaml.SafeLoader):
    """A safe loader that also knows the short forms, and keeps dates as the text they were written in.

    Raises ``AliasInTemplate``.
    """

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            raise AliasInTemplate
        return super().compose_node(parent, index)


def _short_form(loader: ShortFormLoader, suffix: str, node: yaml.Node) -> dict[str, Any]:
    value: Any
    if isinstance(node, yaml.ScalarNode):
        value = loader.construct_scalar(node)
    elif isinstance(node, yaml.SequenceNode):
        value = loader.construct_sequence(node, deep=True)
    else:
        value = loader.construct_mapping(node, deep=True)  # type: ignore[arg-type]  # the third kind of node
    if suffix == "GetAtt" and isinstance(value, str):
        value = value.split(".", 1)
    return {suffix if suffix in _WITHOUT_PREFIX else f"Fn::{suffix}": value}


def _as_written(loader: ShortFormLoader, node: yaml.ScalarNode) -> Any:
    return loader.construct_scalar(node)


ShortFormLoader.add_multi_constructor("!", _short_form)
ShortFormLoader.add_constructor("tag:yaml.org,2002:timestamp", _as_written)
