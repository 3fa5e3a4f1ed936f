"""Traffic of pods in the namespaces of a team: NetworkPolicies.

EFA bypasses the kernel and so every NetworkPolicy: its traffic is limited by the security group of the nodes alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from local_kubernetes.model.names import NAMESPACE_LABEL, SYSTEM_NAMESPACE

DNS_PORT, HTTPS_PORT, HTTP_PORT = 53, 443, 80
POD_IDENTITY = "169.254.170.23/32"
"""The address of the Pod Identity Agent on each node
(https://docs.aws.amazon.com/eks/latest/userguide/pod-id-how-it-works.html)."""
INSTANCE_METADATA = "169.254.169.254/32"
"""No pod of a team reads the credentials of its node."""


def network_policies(namespace: str) -> tuple[Mapping[str, Any], ...]:
    """Pods accept traffic of their own namespace, and reach it, DNS, HTTPS and the Pod Identity Agent; nothing else."""
    inside: Mapping[str, Any] = {"podSelector": {}}
    return (
        _policy("default-deny", namespace, {"policyTypes": ["Ingress", "Egress"]}),
        _policy(
            "same-namespace",
            namespace,
            {"policyTypes": ["Ingress", "Egress"], "ingress": [{"from": [inside]}], "egress": [{"to": [inside]}]},
        ),
        _policy("services-of-aws-and-cluster", namespace, {"policyTypes": ["Egress"], "egress": _egress()}),
    )


def _egress() -> Sequence[Mapping[str, Any]]:
    """Container registries, S3 and the Kubernetes API are HTTPS; which of them a pod reaches, the VPC decides."""
    dns = {"namespaceSelector": {"matchLabels": {NAMESPACE_LABEL: SYSTEM_NAMESPACE}}}
    anywhere = {"ipBlock": {"cidr": "0.0.0.0/0", "except": [INSTANCE_METADATA]}}
    return [
        {"to": [dns], "ports": [{"port": DNS_PORT, "protocol": each} for each in ("UDP", "TCP")]},
        {"to": [anywhere], "ports": [{"port": HTTPS_PORT, "protocol": "TCP"}]},
        {"to": [{"ipBlock": {"cidr": POD_IDENTITY}}], "ports": [{"port": HTTP_PORT, "protocol": "TCP"}]},
    ]


def _policy(name: str, namespace: str, spec: Mapping[str, Any]) -> Mapping[str, Any]:
    return {
        "apiVersion": "networking.k8s.io/v1",
        "kind": "NetworkPolicy",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"podSelector": {}, **spec},
    }
