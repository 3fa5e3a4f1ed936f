"""Reactions of a Job to a pod that failed or succeeded: pod failure policy, limits, and success policy.

Source: Kubernetes documentation, Jobs (back-off limit, also for each index; success policy) and Pod failure policy.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from local_kubernetes.model.fields import at, items, whole_number
from neuron_cluster.rehearsal.cluster.objects import Pod

DEFAULT_LIMIT = 6
NO_LIMIT = 2**31 - 1
"""Default where each index has a limit of its own."""


def limit_of(spec: Mapping[str, Any]) -> int:
    """How many pods may fail."""
    given = whole_number(at(spec, "backoffLimit"))
    default = DEFAULT_LIMIT if limit_of_index(spec) is None else NO_LIMIT
    return default if given is None else given


def limit_of_index(spec: Mapping[str, Any]) -> int | None:
    """How many pods of one index may fail; None where they are counted together."""
    return whole_number(at(spec, "backoffLimitPerIndex"))


def action_of(spec: Mapping[str, Any], pod: Pod) -> tuple[str, str]:
    """Action of the first rule that matches, and why; without one the failure counts."""
    for rule in items(at(spec, "podFailurePolicy", "rules")):
        why = _match(rule, pod)
        if why:
            return str(rule["action"]), why
    codes = ", ".join(f"{each.name} exit code {each.exit_code}" for each in pod.containers if each.exit_code)
    return "Count", codes or pod.disruption or "failed"


def _match(rule: Mapping[str, Any], pod: Pod) -> str:
    """Why the rule matches; empty where it does not."""
    for condition in items(rule.get("onPodConditions")):
        if at(condition, "type") == "DisruptionTarget" and pod.disruption is not None:
            return pod.disruption
    codes = rule.get("onExitCodes")
    if codes is not None:
        name, values, operator = at(codes, "containerName"), items(at(codes, "values")), at(codes, "operator")
        for container in pod.containers:
            code = container.exit_code
            if code and name in (None, container.name) and (code in values) == (operator == "In"):
                return f"{container.name} exit code {code}"
    return ""


def has_succeeded(spec: Mapping[str, Any], succeeded: set[int]) -> bool:
    """Whether a rule of the success policy is met by the indexes that have succeeded."""
    given = (at(rule, "succeededIndexes") for rule in items(at(spec, "successPolicy", "rules")))
    return any(set(_indexes(str(each))) <= succeeded for each in given if each is not None)


def _indexes(text: str) -> Iterator[int]:
    """``0,2-4``: the Job API."""
    for part in text.split(","):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)
