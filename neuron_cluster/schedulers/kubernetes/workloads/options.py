"""The request of a user for a workload: options of the command, and values for the chart."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml
from msgspec import Struct, field

from local_kubernetes.model.chart_values import merged, value_at
from local_kubernetes.model.yaml_reader import yaml_document
from neuron_cluster.bounded_file import read_bounded
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.errors import ToolkitError
from neuron_cluster.sizing.model_shape import ModelShape, shape_of_file


class WorkloadOptions(Struct, frozen=True):
    """``given`` are values of the user's own, which win over ours. ``bucket`` is the name of an S3 bucket, ``claim``
    that of a PersistentVolumeClaim on a shared file system.
    """

    group: str | None = None
    nodes: int | None = None
    queue: str | None = None
    front_end: str | None = None
    bucket: str | None = None
    claim: str | None = None
    namespace: str | None = None
    """None: the first one of the file."""
    release: str | None = None
    """None: the name of the chart."""
    model: ModelShape | None = None
    """The shape of the model of ``--model-config``."""
    given: Mapping[str, Any] = field(default_factory=dict)

    def whole_number(self, path: str) -> int | None:
        """The user's value; None without one, or for one that is not an integer, which the chart's schema reports."""
        value = value_at(self.given, path)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    def text(self, path: str) -> str | None:
        """The user's value; None without one, or for one that is empty or not a string."""
        value = value_at(self.given, path)
        return value if isinstance(value, str) and value else None

    def sets(self, path: str) -> bool:
        """Whether the user's values set it, also to an empty value."""
        return value_at(self.given, path) is not None


def requested_options(
    values: Mapping[str, Any], catalog: Catalog, defaults: Mapping[str, Any] | None = None
) -> WorkloadOptions:
    """The options of the command line. ``defaults`` are chart values that the user's own override.

    Raises ``ToolkitError`` for a file or a setting that cannot be read.
    """
    return WorkloadOptions(
        group=values["group"],
        nodes=values["nodes"],
        queue=values["queue"],
        front_end=values["front_end"],
        bucket=values["bucket"],
        claim=values["claim"],
        namespace=values["namespace"],
        model=shape_of_file(values["model_config"], catalog) if values["model_config"] is not None else None,
        given=merged(defaults or {}, user_values(values["values"], values["settings"])),
    )


def user_values(file: Path | None, settings: Iterable[str]) -> Mapping[str, Any]:
    """The values of the file, overridden by the settings. Raises ``ToolkitError``."""
    values = _of_file(file) if file is not None else {}
    for setting in settings:
        path, equals, text = setting.partition("=")
        if not equals or not path:
            raise ToolkitError(
                f"--set {setting!r} is not KEY=VALUE", hint="write --set KEY=VALUE, such as --set model.maxNumSeqs=8"
            )
        values = merged(values, _nested(path, _value(text)))
    return values


def _value(text: str) -> Any:
    """JSON where the text is valid JSON (``8``, ``true``, ``["a"]``, ``"8"``), else the text itself."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _nested(path: str, value: Any) -> Mapping[str, Any]:
    parts = path.split(".")
    if not all(parts) or "[" in path:
        raise ToolkitError(
            f"--set {path!r} is not a valid key of values",
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
        raise ToolkitError(f"{file} cannot be read: {reason}", hint="--values is a YAML file of values") from error
    if read is None:
        return {}
    if not isinstance(read, Mapping) or not all(isinstance(key, str) for key in read):
        raise ToolkitError(f"{file} is not a mapping of values", hint="--values is a YAML file such as values.yaml")
    return read
