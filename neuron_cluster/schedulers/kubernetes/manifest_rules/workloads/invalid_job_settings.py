from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_kubernetes.model.fields import at, whole_number
from local_kubernetes.model.pod_templates import JOB_PLACES, job_templates
from neuron_cluster.schedulers.kubernetes.manifest_rules.base import (
    ManifestContext,
    ManifestRule,
    Violation,
    Violations,
)

LOWEST = {
    "backoffLimit": 0,
    "backoffLimitPerIndex": 0,
    "maxFailedIndexes": 0,
    "parallelism": 0,
    "completions": 0,
    "ttlSecondsAfterFinished": 0,
    "activeDeadlineSeconds": 1,
}
FOR_INDEXED_JOBS = ("backoffLimitPerIndex", "maxFailedIndexes", "successPolicy")


class InvalidJobSettings(ManifestRule):
    """The numbers of a Job are in range, and settings for Indexed jobs or restartPolicy Never have them."""

    id = "E8833"
    source = (
        "https://kubernetes.io/docs/concepts/workloads/controllers/job/; "
        "https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/job-v1/"
    )
    kinds = tuple(JOB_PLACES)

    def check(self, context: ManifestContext) -> Violations:
        for path, spec in job_templates(context.object):
            yield from _numbers(path, spec)
            # JobSet's webhook sets completionMode Indexed (kubernetes-sigs/jobset:pkg/webhooks/jobset_webhook.go).
            mode = spec.get("completionMode") or ("Indexed" if context.object.kind == "JobSet" else "NonIndexed")
            yield from _together(path, spec, indexed=mode == "Indexed")


def _numbers(path: str, spec: Mapping[str, Any]) -> Violations:
    for field, lowest in LOWEST.items():
        number = whole_number(spec.get(field))
        if number is not None and number < lowest:
            yield Violation(f"{path}.{field}", f"{number} is less than {lowest}", f"write {lowest} or more")


def _together(path: str, spec: Mapping[str, Any], *, indexed: bool) -> Violations:
    if indexed and spec.get("completions") is None and spec.get("parallelism") is not None:
        yield Violation(
            f"{path}.completions",
            "is not set; an Indexed job requires it",
            "write completions: how many pods must succeed",
        )
    for field in FOR_INDEXED_JOBS:
        if not indexed and spec.get(field) is not None:
            yield Violation(
                f"{path}.{field}",
                f"{field} is set; it requires completionMode Indexed",
                f"write completionMode: Indexed, or remove {field}",
            )
    policy = at(spec, "template", "spec", "restartPolicy")
    if spec.get("podFailurePolicy") is not None and policy != "Never":
        hint = "write restartPolicy: Never in the pod template, or remove podFailurePolicy"
        yield Violation(f"{path}.podFailurePolicy", f"requires restartPolicy Never, not {policy}", hint)
    completions, parallelism = whole_number(spec.get("completions")), whole_number(spec.get("parallelism"))
    if indexed and completions is not None and parallelism is not None and parallelism > completions:
        yield Violation(
            f"{path}.parallelism",
            f"parallelism {parallelism} exceeds completions {completions}",
            f"write {completions} or less, or completions: {parallelism} or more",
        )
