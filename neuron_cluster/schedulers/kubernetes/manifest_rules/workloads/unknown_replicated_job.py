from __future__ import annotations

from local_kubernetes.model.fields import expand
from neuron_cluster.schedulers.kubernetes.manifest_rules.base import (
    ManifestContext,
    ManifestRule,
    Violation,
    Violations,
)
from neuron_cluster.schedulers.kubernetes.manifest_rules.wording import either

REFERENCES = (
    "spec.successPolicy.targetReplicatedJobs.*",
    "spec.failurePolicy.rules.*.targetReplicatedJobs.*",
    "spec.coordinator.replicatedJob",
    "spec.replicatedJobs.*.dependsOn.*.name",
)


class UnknownReplicatedJob(ManifestRule):
    """The policies of a JobSet reference its replicated jobs, whose names are unique (`replicatedJobs`)."""

    id = "E8834"
    source = "kubernetes-sigs/jobset:pkg/webhooks/jobset_webhook.go (ValidateCreate)"
    kinds = ("JobSet",)

    def check(self, context: ManifestContext) -> Violations:
        names = [name for _, name in expand(context.object.body, "spec.replicatedJobs.*.name")]
        for reference in REFERENCES:
            for path, name in expand(context.object.body, reference):
                if name not in names:
                    message = f"the JobSet has no replicated job {name!r}; it has {', '.join(names)}"
                    yield Violation(path, message, f"write {either(_others(names, path))}")
        for path, name in list(expand(context.object.body, "spec.replicatedJobs.*.name"))[1:]:
            position = int(path.partition("[")[2].partition("]")[0])
            if name in names[:position]:
                yield Violation(
                    path,
                    f"duplicate replicated job {name!r}",
                    "write another name, here and where it is used",
                )


def _others(names: list[str], path: str) -> list[str]:
    """A replicated job may depend only on earlier ones in the list."""
    before, depends, _ = path.partition(".dependsOn")
    return names[: int(before.rpartition("[")[2].rstrip("]"))] if depends else names
