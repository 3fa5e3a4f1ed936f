from __future__ import annotations

from typing import Any

from local_kubernetes.model.fields import at, numbered
from neuron_cluster.schedulers.kubernetes.manifest_rules.base import (
    ManifestContext,
    ManifestRule,
    Needs,
    Violation,
    Violations,
)


class DuplicateNameInPod(ManifestRule):
    """The containers, volumes, environment variables, ports and mount paths of a pod are unique (`name`)."""

    id = "E8816"
    needs = Needs.POD
    source = (
        "https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/ (names are unique); of two "
        "environment variables with one name the last one is used, without an error"
    )

    def check(self, context: ManifestContext) -> Violations:
        template = context.template
        yield from _twice([(c.path, c.body) for c in template.containers], "container", "name")
        yield from _twice(numbered(at(template.spec, "volumes"), f"{template.spec_path}.volumes"), "volume", "name")
        for container in template.containers:
            for place, what, fields in (
                ("env", "environment variable", ("name",)),
                ("ports", "port name", ("name",)),
                ("ports", "port", ("containerPort", "protocol")),
                ("volumeMounts", "mount path", ("mountPath",)),
            ):
                yield from _twice(numbered(container.body.get(place), f"{container.path}.{place}"), what, *fields)


def _twice(listed: list[tuple[str, Any]], what: str, *fields: str) -> Violations:
    seen = set()
    for path, body in listed:
        value = tuple(at(body, field) or ("TCP" if field == "protocol" else None) for field in fields)
        if value[0] is None:
            continue
        if value in seen:
            message = f"duplicate {what} {value[0]!r}"
            yield Violation(f"{path}.{fields[0]}", message, f"write another {fields[0]}, or remove one of the two")
        seen.add(value)
