from __future__ import annotations

from collections.abc import Mapping

from local_kubernetes.model.fields import expand
from local_kubernetes.model.pod_templates import job_templates
from neuron_cluster.schedulers.kubernetes.manifest_rules.base import (
    ManifestContext,
    ManifestRule,
    Violation,
    Violations,
)
from neuron_cluster.schedulers.kubernetes.manifest_rules.wording import either

Choices = Mapping[str, tuple[str, ...]]

OF_A_CONTAINER: Choices = {
    "imagePullPolicy": ("Always", "IfNotPresent", "Never"),
    "terminationMessagePolicy": ("File", "FallbackToLogsOnError"),
    "ports.*.protocol": ("TCP", "UDP", "SCTP"),
    "securityContext.seccompProfile.type": ("RuntimeDefault", "Localhost", "Unconfined"),
    "volumeMounts.*.mountPropagation": ("None", "HostToContainer", "Bidirectional"),
}
OF_A_POD: Choices = {
    "restartPolicy": ("Always", "OnFailure", "Never"),
    "dnsPolicy": ("ClusterFirst", "ClusterFirstWithHostNet", "Default", "None"),
    "preemptionPolicy": ("PreemptLowerPriority", "Never"),
    "securityContext.seccompProfile.type": ("RuntimeDefault", "Localhost", "Unconfined"),
    "securityContext.fsGroupChangePolicy": ("OnRootMismatch", "Always"),
    "tolerations.*.operator": ("Exists", "Equal", "Lt", "Gt"),
    "tolerations.*.effect": ("NoSchedule", "PreferNoSchedule", "NoExecute"),
    "topologySpreadConstraints.*.whenUnsatisfiable": ("DoNotSchedule", "ScheduleAnyway"),
    "volumes.*.emptyDir.medium": ("", "Memory", "HugePages", "HugePages-2Mi", "HugePages-1Gi"),
    **{
        f"affinity.nodeAffinity.{rule}.matchExpressions.*.operator": (
            "In",
            "NotIn",
            "Exists",
            "DoesNotExist",
            "Gt",
            "Lt",
        )
        for rule in (
            "requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms.*",
            "preferredDuringSchedulingIgnoredDuringExecution.*.preference",
        )
    },
}
OF_A_JOB: Choices = {
    "completionMode": ("NonIndexed", "Indexed"),
    "podReplacementPolicy": ("TerminatingOrFailed", "Failed"),
    "podFailurePolicy.rules.*.action": ("FailJob", "FailIndex", "Ignore", "Count"),
}
ACCESS_MODES = ("ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod")
OF_AN_OBJECT: Mapping[str, Choices] = {
    "Service": {
        "spec.type": ("ClusterIP", "NodePort", "LoadBalancer", "ExternalName"),
        "spec.ports.*.protocol": ("TCP", "UDP", "SCTP"),
        "spec.sessionAffinity": ("None", "ClientIP"),
        "spec.internalTrafficPolicy": ("Cluster", "Local"),
        "spec.externalTrafficPolicy": ("Cluster", "Local"),
    },
    "Deployment": {"spec.strategy.type": ("Recreate", "RollingUpdate")},
    "DaemonSet": {"spec.updateStrategy.type": ("OnDelete", "RollingUpdate")},
    "StatefulSet": {
        "spec.updateStrategy.type": ("OnDelete", "RollingUpdate"),
        "spec.podManagementPolicy": ("OrderedReady", "Parallel"),
        "spec.volumeClaimTemplates.*.spec.accessModes.*": ACCESS_MODES,
    },
    "CronJob": {"spec.concurrencyPolicy": ("Allow", "Forbid", "Replace")},
    "PersistentVolumeClaim": {
        "spec.accessModes.*": ACCESS_MODES,
        "spec.volumeMode": ("Filesystem", "Block"),
    },
    "NetworkPolicy": {
        "spec.policyTypes.*": ("Ingress", "Egress"),
        "spec.ingress.*.ports.*.protocol": ("TCP", "UDP", "SCTP"),
        "spec.egress.*.ports.*.protocol": ("TCP", "UDP", "SCTP"),
    },
    "PodDisruptionBudget": {"spec.unhealthyPodEvictionPolicy": ("IfHealthyBudget", "AlwaysAllow")},
}
"""Field to the values of the Kubernetes API reference."""


class InvalidEnumValue(ManifestRule):
    """Enum fields have a valid value, such as `restartPolicy`; JSON schemas accept any string there."""

    id = "E8825"
    source = "https://kubernetes.io/docs/reference/kubernetes-api/ (possible enum values of each field)"

    def check(self, context: ManifestContext) -> Violations:
        places = [("", context.object.body, OF_AN_OBJECT.get(context.object.kind, {}))]
        places += [(path, spec, OF_A_JOB) for path, spec in job_templates(context.object)]
        for template in context.release.templates_of(context.object):
            places.append((template.spec_path, template.spec, OF_A_POD))
            places += [(container.path, container.body, OF_A_CONTAINER) for container in template.containers]
        for start, tree, choices in places:
            for pattern, allowed in choices.items():
                for path, value in expand(tree, pattern, start):
                    if value not in allowed:
                        words = [word or repr(word) for word in allowed]
                        yield Violation(path, f"{value!r} is not one of {', '.join(words)}", f"write {either(words)}")
