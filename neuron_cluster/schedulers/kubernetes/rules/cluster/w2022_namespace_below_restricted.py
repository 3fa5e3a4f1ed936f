from __future__ import annotations

from neuron_cluster.config.namespace import PodSecurity
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.listed_namespaces import listed_namespaces

ALLOWS = {
    PodSecurity.BASELINE: "containers may run as root and gain privileges in the container",
    PodSecurity.PRIVILEGED: "users who create pods there can become root on the nodes and access other pods",
}


class NamespaceBelowRestricted(Rule):
    """Workload namespaces have the Pod Security level restricted (`eks.namespaces[].pod_security`).

    All job charts of the toolkit meet this level. Only a warning: your own images may run as root.

    Without this check Kubernetes reports no error. Pods are admitted that the level restricted rejects.
    """

    id = "W2022"
    source = "https://kubernetes.io/docs/concepts/security/pod-security-standards/"

    def check(self, context: RuleContext) -> Violations:
        for each in listed_namespaces(context.environment.config):
            namespace = each.spec
            allows = ALLOWS.get(namespace.pod_security)
            if allows is not None:
                yield Violation(
                    (*each.path, "pod_security"),
                    f"{namespace.name} is {namespace.pod_security.value}: {allows}",
                    "write restricted, the default, unless a workload requires this level; keep that workload in a "
                    "namespace of its own",
                )
