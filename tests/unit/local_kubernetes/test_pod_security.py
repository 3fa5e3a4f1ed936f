"""Pod Security Standards against the test data of Kubernetes' own admission plugin."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from local_kubernetes.model.objects import KubernetesObject
from local_kubernetes.model.pod_security.baseline import rejected_by_baseline
from local_kubernetes.model.pod_security.restricted import rejected_by_restricted
from local_kubernetes.model.pod_templates import PodTemplate, pod_templates
from tests.every_case import every_case

CASES = json.loads((Path(__file__).parents[2] / "fixtures" / "pod_security_cases.json").read_text(encoding="utf-8"))
FILES = 1732
"""Files of upstream for 13 minor versions: the same pod in several of them is one case."""


def template_of(case: dict[str, Any]) -> PodTemplate:
    body = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", **case.get("metadata", {})}}
    (template,) = pod_templates(KubernetesObject({**body, "spec": case["spec"]}, "default"))
    return template


def is_rejected(case: dict[str, Any], minor: int) -> bool:
    found = [*rejected_by_baseline(template_of(case), minor)]
    if case["level"] == "restricted":
        found += rejected_by_restricted(template_of(case))
    return bool(found)


@every_case("case", CASES["cases"])
def test_a_pod_is_rejected_as_kubernetes_rejects_it(case: dict[str, Any]) -> None:
    first, last = case["minors"]
    expected = dict.fromkeys(range(first, last + 1), case["verdict"] == "fail")
    assert {minor: is_rejected(case, minor) for minor in expected} == expected, case["file"]


def test_no_case_is_missing() -> None:
    assert sum(last - first + 1 for first, last in (case["minors"] for case in CASES["cases"])) == FILES


def test_each_field_that_is_rejected_is_in_the_object() -> None:
    """Its path leads to what the hint is about: at least to the object that lacks a field."""
    for case in CASES["cases"]:
        template = template_of(case)
        for field in (*rejected_by_baseline(template), *rejected_by_restricted(template)):
            assert field.path.startswith(("spec.", "metadata.annotations")), field
            assert field.hint
