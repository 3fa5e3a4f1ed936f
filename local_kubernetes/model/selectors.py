"""Label selectors: matchLabels and matchExpressions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from local_kubernetes.model.fields import at, items, text, text_pairs
from local_kubernetes.model.pod_templates import PodTemplate


def selects(selector: Any, template: PodTemplate) -> bool:
    """Whether a LabelSelector selects the pods of a template; an empty one selects all."""
    if not template.matches(text_pairs(at(selector, "matchLabels"))):
        return False
    return all(_expression_holds(expression, template) for expression in items(at(selector, "matchExpressions")))


def _expression_holds(expression: Any, template: PodTemplate) -> bool:
    key = text(at(expression, "key")) or ""
    values = items(at(expression, "values"))
    given = template.labels.get(key)
    match at(expression, "operator"):
        case "In":
            return any(template.matches({key: value}) for value in values)
        case "NotIn":
            return given not in values
        case "Exists":
            return given is not None or template.matches({key: ""})
        case "DoesNotExist":
            return given is None
    return False


def describe(selector: Mapping[str, Any]) -> str:
    """``app=server, tier=web``."""
    pairs = [f"{key}={value}" for key, value in text_pairs(selector.get("matchLabels", selector)).items()]
    pairs += [
        f"{at(e, 'key')} {at(e, 'operator')} {items(at(e, 'values'))}" for e in items(selector.get("matchExpressions"))
    ]
    return ", ".join(pairs) or "nothing"


def describe_pod_labels(pods: Iterable[PodTemplate]) -> str:
    """The hint for a selector that selects none of these pods: their labels, without duplicates."""
    found = dict.fromkeys(describe(pod.labels) for pod in pods if pod.labels)
    return f"write labels of the pods: {'; or '.join(found)}" if found else "add labels to the template of the pods"
