"""Values of the chart ``training-operators``: Kubeflow's Training Operator v1 in the version that HyperPod knows."""

from msgspec import UNSET, UnsetType

from neuron_cluster.schedulers.kubernetes.software.values.closed_values import ClosedValues
from neuron_cluster.schedulers.kubernetes.software.values.pod_settings import Image


class TrainingOperatorsValues(ClosedValues, frozen=True, kw_only=True):
    """``training-operators``. It works on PyTorchJobs only: HyperPod resumes no other kind."""

    image: Image | UnsetType = UNSET
    create_namespace: bool = False
    schemes: tuple[str, ...] = ("pytorchjob",)
