"""Kubeflow Trainer's runtimes for Neuron nodes: what a TrainJob names, and adds its program and number of nodes to.

The chart has runtimes for GPUs alone. A runtime is one JobSet whose only replicated Job is called ``node``, as its
container is, or the addresses that the Trainer gives torchrun do not exist
(kubeflow/trainer@658725b, v2.3.0: pkg/runtime/framework/plugins/torch/torch.go, jobset/builder.go).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from local_kubernetes.model.names import EFA, GROUP_LABEL, NEURON
from neuron_cluster.catalog.container import Container
from neuron_cluster.plan.addon_plan import ManifestPlan
from neuron_cluster.plan.node_group_plan import NodeGroupPlan
from neuron_cluster.schedulers.kubernetes.software.component_context import ComponentContext, tolerations_of_group
from neuron_cluster.schedulers.kubernetes.software.framework_images import newest_container

API = "trainer.kubeflow.org/v1alpha1"
COMPONENT, CHART = "kubeflow_trainer", "kubeflow-trainer"
FRAMEWORK = "torch_neuronx_training"
USER = 1000
"""As which the charts of this project run, and the images of AWS have it."""
RESTARTS = 3
MEMORY_QUARTERS = 3
"""Quarters of the memory: the rest is for DaemonSets, and pods may use more than they request."""


def training_runtimes(context: ComponentContext) -> tuple[ManifestPlan, ...]:
    """One for each Neuron group whose devices a device plugin allocates: claims need a template in each namespace."""
    if context.has("neuron_dra_driver"):
        return ()
    return tuple(_runtimes(context))


def runtime_name(group: NodeGroupPlan) -> str:
    """Returns the name that a TrainJob has in ``runtimeRef``."""
    return f"neuron-torch-{group.name}"


def _runtimes(context: ComponentContext) -> Iterator[ManifestPlan]:
    for group in context.neuron_groups:
        image = _image(group, context)
        if image is None:
            continue
        runtime = _runtime(group, context.images.pinned(image.image), context)
        yield ManifestPlan(
            (*context.addons_path, COMPONENT),
            f"ClusterTrainingRuntime {runtime['metadata']['name']}",
            (runtime,),
            needs=(CHART,),
            component=COMPONENT,
            images=(context.images.pulled_as(image.image),),
        )


def _image(group: NodeGroupPlan, context: ComponentContext) -> Container | None:
    """Returns the image of PyTorch for the SDK release of the environment; None where the chip has none."""
    row = context.catalog.instance_types.get(group.machine.instance_type)
    chip = context.catalog.chips.get(row.chip) if row is not None and row.chip is not None else None
    return newest_container(FRAMEWORK, chip, context.neuron_sdk, context.catalog) if chip is not None else None


def _runtime(group: NodeGroupPlan, image: str, context: ComponentContext) -> Mapping[str, Any]:
    job = {
        "name": "node",
        "template": {
            "metadata": {"labels": {"trainer.kubeflow.org/trainjob-ancestor-step": "trainer"}},
            "spec": {"backoffLimit": 0, "template": {"spec": _pod(group, image, context)}},
        },
    }
    return {
        "apiVersion": API,
        "kind": "ClusterTrainingRuntime",
        "metadata": {
            "name": runtime_name(group),
            "labels": {"trainer.kubeflow.org/framework": "torch"},
        },
        "spec": {
            "mlPolicy": {"numNodes": 1, "torch": {}},
            "template": {"spec": {"failurePolicy": {"maxRestarts": RESTARTS}, "replicatedJobs": [job]}},
        },
    }


def _pod(group: NodeGroupPlan, image: str, context: ComponentContext) -> Mapping[str, Any]:
    """Returns the pod of a whole node, at Pod Security level ``restricted``."""
    memory = _memory_gib(group, context)
    shared_memory = {"medium": "Memory"} | ({"sizeLimit": f"{memory // 4}Gi"} if memory else {})
    return {
        "restartPolicy": "Never",
        "automountServiceAccountToken": False,
        "enableServiceLinks": False,
        "nodeSelector": {GROUP_LABEL: group.name},
        "tolerations": [each.as_values() for each in tolerations_of_group(group, context.node_groups)],
        "securityContext": {
            "runAsNonRoot": True,
            "runAsUser": USER,
            "runAsGroup": USER,
            "fsGroup": USER,
            "seccompProfile": {"type": "RuntimeDefault"},
        },
        "containers": [
            {
                "name": "node",
                "image": image,
                "command": ["torchrun"],
                "workingDir": "/tmp",  # noqa: S108 - in the container: the image's own folder belongs to root
                "env": _environment(group, context),
                "resources": _resources(group, memory, context),
                "securityContext": {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}},
                "volumeMounts": [{"name": "shared-memory", "mountPath": "/dev/shm"}],  # noqa: S108 - in the container
            }
        ],
        "volumes": [{"name": "shared-memory", "emptyDir": shared_memory}],
    }


def _environment(group: NodeGroupPlan, context: ComponentContext) -> list[Mapping[str, str]]:
    """As charts/neuron-training sets it; the Trainer adds the variables of torchrun."""
    row = context.catalog.instance_types.get(group.machine.instance_type)
    lnc = row.selected_logical_nc_config(group.machine.logical_nc_config) if row is not None else None
    variables = {"PYTHONUNBUFFERED": "1", **({"NEURON_LOGICAL_NC_CONFIG": str(lnc)} if lnc else {})}
    if group.machine.efa_interfaces:
        variables |= {"FI_PROVIDER": "efa", "FI_EFA_USE_DEVICE_RDMA": "1"}
    return [{"name": name, "value": value} for name, value in variables.items()]


def _resources(group: NodeGroupPlan, memory_gib: int, context: ComponentContext) -> Mapping[str, Any]:
    """A processor for each core: without a resource that is called GPU, the Trainer starts as many processes as
    processors are requested (``getNumCPUPerNode``). There is no limit, so the pod may use all that the node has.
    """
    row = context.catalog.instance_types.get(group.machine.instance_type)
    devices = {NEURON: row.neuron_devices} if row is not None and row.neuron_devices else {}
    if group.machine.efa_interfaces and context.has("efa_device_plugin"):
        devices |= {EFA: group.machine.efa_interfaces}
    requests = {"cpu": str(group.machine.neuroncores or 1)}
    if memory_gib:
        requests |= {"memory": f"{memory_gib * MEMORY_QUARTERS // 4}Gi"}
    return {"requests": {**requests, **devices}, "limits": devices}


def _memory_gib(group: NodeGroupPlan, context: ComponentContext) -> int:
    """Returns the memory of the instance in GiB; 0 where no source has it."""
    row = context.catalog.instance_types.get(group.machine.instance_type)
    return (row.memory_gib or 0) if row is not None else 0
