from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_kubernetes.model.dns_names import LABEL_KEY_FORM, LABEL_VALUE_FORM, is_label_key, is_label_value
from local_kubernetes.model.fields import every_value, inside
from neuron_cluster.schedulers.kubernetes.manifest_rules.base import (
    ManifestContext,
    ManifestRule,
    Violation,
    Violations,
)

OF_LABELS = ("labels", "matchLabels", "nodeSelector", "nodeLabels")
OF_ANNOTATIONS = ("annotations",)


class InvalidLabel(ManifestRule):
    """Labels, label selectors and annotation keys have a valid form (`metadata.labels`, `metadata.annotations`)."""

    id = "E8814"
    source = "https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#syntax-and-character-set"

    def check(self, context: ManifestContext) -> Violations:
        for path, value in every_value(context.object.body):
            name = path.rpartition(".")[2]
            if isinstance(value, Mapping) and name in OF_LABELS + OF_ANNOTATIONS and _is_metadata(path, name):
                yield from _invalid(path, value, values=name in OF_LABELS)


def _is_metadata(path: str, name: str) -> bool:
    """Elsewhere ``labels`` and ``annotations`` have another meaning: those of an alert may have any form."""
    return name not in ("labels", "annotations") or path.removesuffix(f".{name}").endswith("metadata")


def _invalid(path: str, pairs: Mapping[Any, Any], *, values: bool) -> Violations:
    for key, value in pairs.items():
        if not is_label_key(str(key)):
            yield Violation(path, f"{key!r} is not a valid key: {LABEL_KEY_FORM}", "write a key of this form")
        elif not isinstance(value, str):
            spelt = str(value).lower() if isinstance(value, bool) else str(value or "")
            yield Violation(inside(path, key), f"{value!r} is not a string", f'write it in quotes: "{spelt}"')
        elif values and not is_label_value(value):
            yield Violation(
                inside(path, key),
                f"{value!r} ({len(value)} characters) is not a valid label value: {LABEL_VALUE_FORM}",
                _hint(path, str(key)),
            )


def _hint(path: str, key: str) -> str:
    """A label of an object may become an annotation; a label of a selector may not."""
    other = f", or remove the label and write metadata.annotations[{key}]" if path.endswith("metadata.labels") else ""
    return f"write a value of this form{other}"
