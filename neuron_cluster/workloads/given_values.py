"""Values of the user's own: files and ``key=value``, merged as helm merges them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

from neuron_cluster.bounded_file import read_bounded
from neuron_cluster.chart_values import merged
from neuron_cluster.errors import ToolkitError
from neuron_cluster.kubernetes.yaml_reader import yaml_document


def given_values(file: Path | None, settings: Iterable[str]) -> Mapping[str, Any]:
    """The file's values with the settings over them. Raises ``ToolkitError`` for what cannot be read."""
    values = _of_file(file) if file is not None else {}
    for setting in settings:
        path, equals, text = setting.partition("=")
        if not equals or not path:
            raise ToolkitError(
                f"--set {setting!r} is no setting", hint="write --set KEY=VALUE, such as --set model.maxNumSeqs=8"
            )
        values = merged(values, _nested(path, _value(text)))
    return values


def _value(text: str) -> Any:
    """JSON where it is JSON (``8``, ``true``, ``["a"]``, ``"8"``), else the text itself: nothing is guessed."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _nested(path: str, value: Any) -> Mapping[str, Any]:
    parts = path.split(".")
    if not all(parts) or "[" in path:
        raise ToolkitError(
            f"--set {path!r} is no key of values",
            hint="write a dotted key; for one item of a list give the whole list as JSON, or use --values FILE",
        )
    for part in reversed(parts):
        value = {part: value}
    found: Mapping[str, Any] = value
    return found


def _of_file(file: Path) -> Mapping[str, Any]:
    try:
        read = yaml_document(read_bounded(file).decode())
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise ToolkitError(f"{file} cannot be read: {reason}", hint="--values takes a YAML file of values") from error
    if read is None:
        return {}
    if not isinstance(read, Mapping) or not all(isinstance(key, str) for key in read):
        raise ToolkitError(f"{file} holds no mapping of values", hint="--values takes a YAML file such as values.yaml")
    return read
