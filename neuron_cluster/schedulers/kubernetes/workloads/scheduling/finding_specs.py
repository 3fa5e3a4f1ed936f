"""The findings about pods and nodes of rendered workloads."""

from __future__ import annotations

from neuron_cluster.findings.references import References
from neuron_cluster.findings.spec import FindingSpec, specs_of_table

SCATTERED = (
    "Pods with a part of the Neuron devices of a node have a connected number of them, and the scheduler extension.",
    "Kubernetes counts devices and allocates any of them: where they are not connected, the runtime rejects them.",
)
"""Title and reason: for manifests of users, and for the bundled charts."""
SCATTERED_REFERENCES: References = (
    "aws-neuron/aws-neuron-sdk#110",
    "aws/containers-roadmap#1735",
    "awslabs/ai-on-eks-charts#6",
)
ROWS = {
    "E9301": (
        "A DaemonSet runs on every node group that requires it.",
        "Kubernetes reports no error otherwise: the DaemonSet has fewer desired pods, without any event.",
    ),
    "E9302": (
        "A workload fits on a node group, with all its pods at once.",
        "Otherwise its pods remain Pending, and so does every job that waits for the last of them.",
    ),
    "W9303": (
        "A workload fits on a node group also with doubtful amounts.",
        "An unconfirmed amount may be too small, such as the memory that the kernel reserves.",
    ),
    "W9304": (
        "Every user manifest with containers has a kind whose pod template is known.",
        "Other kinds are not checked: the result does not include them.",
    ),
    "E9305": (
        "The cluster has the scheduler of the pod (`schedulerName`).",
        "A pod with another scheduler remains Pending, without any event: no scheduler handles it.",
    ),
    "W9306": SCATTERED,
    "W9307": (
        "The groups that a workload fits on run enough nodes for all its pods (`count.desired`).",
        (
            "Nodes are not added automatically. Until `count.desired` is raised, pods remain Pending; a job with a "
            "queue waits in it, because the queue has the devices of `count.desired` nodes."
        ),
    ),
    "E9308": (
        "A job requests no device that its queue does not count.",
        "Kueue admits no job that requests another resource, such as cores where the queue counts devices.",
    ),
    "W9309": (
        "Pods with devices of a queue's nodes have its label (`kueue.x-k8s.io/queue-name`).",
        "Without it they start at once, on devices for which Kueue admits jobs of others, which then stay Pending.",
    ),
    "E9310": (
        "An object requests no more than the ResourceQuotas of its namespace allow (`teams[].quota`).",
        "The API server rejects the pods of a job beyond a limit: the job exists, and none of them does.",
    ),
    "E9363": (
        "A job requests no more than its queue can admit: quota and what may be borrowed (`teams[].quota`).",
        "The job waits in the queue without end, also while no other job runs.",
    ),
    "W9364": (
        "A job requests no more than its queue can admit at `count.desired` (`teams[].quota`).",
        "Quotas are parts of the nodes that run: the job waits until `count.desired` is raised and deployed.",
    ),
    "E9311": (
        "Objects in namespaces of teams have no field that takes from others (`externalIPs`, `nodeName`).",
        "An admission policy rejects them: a Job with such a field is created, and none of its pods is.",
    ),
    "E9312": (
        "The label `kueue.x-k8s.io/queue-name` names a LocalQueue of the namespace.",
        "Kueue finds a queue in the namespace of the job alone: a job with another name waits without end.",
    ),
    "W9313": (
        "A PodDisruptionBudget allows the eviction of a pod while all are healthy (`maxUnavailable`).",
        "A drain evicts nothing, and an update of the node group ends with PodEvictionFailure after 15 minutes.",
    ),
    "W9314": (
        "Pods mount no device files of the node (`hostPath` below `/dev`).",
        (
            "Device plugins give a container the devices that it requests. A mount has those of other pods too, and "
            "may hide what the plugin mounts."
        ),
    ),
    "W9315": (
        "A program uses no more NeuronCores than its container has (`NEURON_RT_NUM_CORES`, `--tensor-parallel-size`).",
        "The Neuron runtime ends a program that requests more cores than the devices of its container have.",
    ),
    "E9316": (
        "An Availability Zone holds all pods of a job that communicate over EFA (`count.max`).",
        "EFA does not cross Availability Zones: the job starts, and its first collective operation does not end.",
    ),
    "W9317": (
        "The pods of a job that communicate over EFA run in one Availability Zone.",
        "The scheduler places each pod by itself: with node groups in two zones, the job works on some days.",
    ),
}
REFERENCES = {
    "E9301": ("eksctl-io/eksctl#6063",),
    "E9302": (
        "aws/karpenter-provider-aws#3315",
        "aws/karpenter-provider-aws#6296",
        "skypilot-org/skypilot#10168",
    ),
    "W9306": SCATTERED_REFERENCES,
    "E9308": ("kubernetes-sigs/kueue#4848",),
    "W9309": ("kubernetes-sigs/kueue#2119",),
    "W9313": ("aws/containers-roadmap#1282", "kubernetes/k8s.io#5538"),
    "E9363": ("kubernetes-sigs/kueue#11720",),
}


def finding_specs() -> tuple[FindingSpec, ...]:
    return specs_of_table("93: pods and nodes", "a rendered workload", ROWS, REFERENCES)
