"""Names of labels, resources and classes in a cluster, of Kubernetes, device plugins and this toolkit."""

from __future__ import annotations

NEURON, NEURON_CORE, EFA = "aws.amazon.com/neuron", "aws.amazon.com/neuroncore", "vpc.amazonaws.com/efa"
"""The resources of device plugins (https://docs.aws.amazon.com/eks/latest/userguide/device-management-neuron.html,
https://docs.aws.amazon.com/eks/latest/userguide/device-management-efa.html). A Neuron group's taint has the first as
its key."""

NEURON_RESOURCES = (NEURON, NEURON_CORE)
"""Resources of the Neuron device plugin: whole devices, or cores. Both count the same hardware."""

FORMER_NEURON_RESOURCES = ("aws.amazon.com/neurondevice",)
"""Published by device plugins before Neuron SDK 2.20 (aws-neuron/aws-neuron-sdk:
about-neuron/announcements/neuron2.x/announce-no-support-device-version.rst)."""

NEURON_CLASS = "neuron.aws.com"
"""The device class that the Neuron DRA driver creates, and its domain
(aws-neuron/aws-neuron-sdk: deploy/eks/dra.rst)."""

EFA_CLASS = "efa.networking.k8s.aws"
"""The device class of the EFA DRA driver, which the toolkit does not install
(https://docs.aws.amazon.com/eks/latest/userguide/device-management-efa.html)."""

NEURON_CLASS_RESOURCE = f"deviceclass.resource.kubernetes.io/{NEURON_CLASS}"
"""The resource that a container may request instead of a claim, where the cluster has the feature DRAExtendedResource
(kubernetes/kubernetes: pkg/quota/v1/evaluator/core/resource_claims_test.go)."""

INSTANCE_TYPE_LABEL = "node.kubernetes.io/instance-type"
"""https://kubernetes.io/docs/reference/labels-annotations-taints/#nodekubernetesioinstance-type"""

POD_SECURITY_LABEL = "pod-security.kubernetes.io/enforce"
"""https://kubernetes.io/docs/concepts/security/pod-security-admission/"""

GROUP_LABEL = "neuron-cluster/node-group"
"""On every node, with the name of its group in the environment file."""

QUEUE_LABEL = "neuron-cluster/queue"
"""On every node whose group has a queue, with its name."""

NAMESPACE_LABEL = "kubernetes.io/metadata.name"
"""On every namespace, with its name."""

SYSTEM_NAMESPACE = "kube-system"
"""Created by Kubernetes, for the cluster's own components."""

DEFAULT_SERVICE_ACCOUNT = "default"
"""Kubernetes creates it in every namespace."""

STORAGE_NAMESPACE = "neuron-cluster-storage"
"""The toolkit's, for the Job that creates directories on the Lustre file system."""

DEFAULT_NAMESPACE = "default"
"""Kubernetes creates it in every cluster; it cannot be deleted."""

QUEUE_NAME_LABEL = "kueue.x-k8s.io/queue-name"
"""On a job: the LocalQueue that admits it (Kueue)."""

PROBE_PERIOD_SECONDS, PROBE_FAILURE_THRESHOLD = 10, 3
"""Defaults of a probe that does not set them (Kubernetes API reference, Probe)."""

ULTRASERVER_LABEL = "neuron.amazonaws.com/ultraserver-server-id-"
"""Labels of nodes that share an UltraServer, by the number of nodes in a group
(aws-neuron/aws-neuron-sdk:deploy/eks/ultraserver.rst)."""
