"""Names of labels, resources and classes in a cluster, as Kubernetes, device plugins and we ourselves write them."""

from __future__ import annotations

NEURON, NEURON_CORE, EFA = "aws.amazon.com/neuron", "aws.amazon.com/neuroncore", "vpc.amazonaws.com/efa"
"""What device plugins offer (https://docs.aws.amazon.com/eks/latest/userguide/device-management-neuron.html,
https://docs.aws.amazon.com/eks/latest/userguide/device-management-efa.html). A Neuron group's taint has the first as
its key."""

NEURON_CLASS = "neuron.aws.com"
"""The device class that the Neuron DRA driver makes, and its domain (aws-neuron/aws-neuron-sdk: deploy/eks/dra.rst)."""

INSTANCE_TYPE_LABEL = "node.kubernetes.io/instance-type"
"""https://kubernetes.io/docs/reference/labels-annotations-taints/#nodekubernetesioinstance-type"""

POD_SECURITY_LABEL = "pod-security.kubernetes.io/enforce"
"""https://kubernetes.io/docs/concepts/security/pod-security-admission/"""

GROUP_LABEL = "neuron-cluster/node-group"
"""On every node, with the user's name of its group."""

NAMESPACE_LABEL = "kubernetes.io/metadata.name"
"""On every namespace, with its own name."""

SYSTEM_NAMESPACE = "kube-system"
"""The cluster's own; Kubernetes makes it."""

DEFAULT_SERVICE_ACCOUNT = "default"
"""In every namespace from the start."""

STORAGE_NAMESPACE = "neuron-cluster-storage"
"""Ours, for the Job that makes folders on the Lustre file system."""

DEFAULT_NAMESPACE = "default"
"""In every cluster from the start; it cannot be deleted."""
