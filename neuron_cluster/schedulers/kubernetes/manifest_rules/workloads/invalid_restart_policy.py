from __future__ import annotations

from local_kubernetes.model.fields import at
from neuron_cluster.schedulers.kubernetes.manifest_rules.base import (
    ManifestContext,
    ManifestRule,
    Needs,
    Violation,
    Violations,
)

ALWAYS = ("Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "LeaderWorkerSet")
ONCE = ("Job", "CronJob", "JobSet")
SETS_DEFAULT = ("JobSet",)
"""Its webhook sets OnFailure where no policy is set (kubernetes-sigs/jobset:pkg/webhooks/jobset_webhook.go)."""


class InvalidRestartPolicy(ManifestRule):
    """The pods of a Deployment restart Always, the pods of a Job OnFailure or Never (`restartPolicy`)."""

    id = "E8832"
    needs = Needs.POD
    source = (
        "https://kubernetes.io/docs/concepts/workloads/controllers/job/#pod-template; "
        "https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#pod-template"
    )

    def check(self, context: ManifestContext) -> Violations:
        policy, kind = at(context.template.spec, "restartPolicy"), context.template.owner.kind
        path = f"{context.template.spec_path}.restartPolicy"
        if kind in ALWAYS and policy not in (None, "Always"):
            yield Violation(path, f"a {kind} allows only Always, not {policy}", "remove restartPolicy")
        is_set = policy is not None or kind not in SETS_DEFAULT
        if kind in ONCE and is_set and policy not in ("OnFailure", "Never"):
            yield Violation(
                path, f"a {kind} allows OnFailure or Never, not {policy or 'Always'}", "write OnFailure or Never"
            )
