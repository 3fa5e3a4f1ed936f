"""The client of a Service that is rehearsed: a pod on a node that is not part of the cluster."""

from __future__ import annotations

from local_kubernetes.model.scheduling.node import NodeInfo
from local_kubernetes.model.scheduling.pod_reader import pods_of
from neuron_cluster.rehearsal.cluster.objects import Node, NodeState, Pod
from neuron_cluster.rehearsal.container_process import PROGRAMS_IN_CONTAINER

CLIENT = "client"


def client_pod(service: str) -> Pod:
    """Sends requests to the endpoints of the Service, and counts those that fail."""
    node = Node(name=CLIENT, info=NodeInfo(CLIENT, {}, (), {}, {}), state=NodeState.READY, images={CLIENT})
    command = ["python3", f"{PROGRAMS_IN_CONTAINER}/client.py", service]
    spec = {
        "restartPolicy": "Never",
        "terminationGracePeriodSeconds": 600,
        "containers": [{"name": CLIENT, "image": CLIENT, "command": command}],
    }
    body = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": CLIENT}, "spec": spec}
    (info,) = pods_of([body])
    return Pod(
        name=CLIENT,
        namespace="default",
        info=info,
        spec=spec,
        labels={},
        annotations={},
        owner=CLIENT,
        host_name=CLIENT,
        node=node,
    )
