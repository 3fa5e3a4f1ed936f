"""JobSet policies that reference an unknown replicated job."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.kubernetes.fields import expand
from neuron_cluster.kubernetes.objects import KubernetesObject
from neuron_cluster.kubernetes.release import Release
from neuron_cluster.manifest_rules.base import ManifestRule
from neuron_cluster.manifest_rules.wording import either
from neuron_cluster.template_rules.base import Violation

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

    def check(self, obj: KubernetesObject, release: Release) -> Iterator[Violation]:
        del release
        names = [name for _, name in expand(obj.body, "spec.replicatedJobs.*.name")]
        for reference in REFERENCES:
            for path, name in expand(obj.body, reference):
                if name not in names:
                    message = f"the JobSet has no replicated job {name!r}; it has {', '.join(names)}"
                    yield Violation(path, message, f"write {either(_others(names, path))}")
        for path, name in list(expand(obj.body, "spec.replicatedJobs.*.name"))[1:]:
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
