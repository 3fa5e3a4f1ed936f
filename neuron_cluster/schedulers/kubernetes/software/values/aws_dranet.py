"""Values of the chart ``aws-dranet``: EFA interfaces by claims (DRA)."""

from msgspec import UNSET, UnsetType

from neuron_cluster.schedulers.kubernetes.software.values.aws_efa_k8s_device_plugin import SupportedInstances
from neuron_cluster.schedulers.kubernetes.software.values.closed_values import ClosedValues
from neuron_cluster.schedulers.kubernetes.software.values.pod_settings import Image, Resources, TolerationValues


class AwsDranetValues(ClosedValues, frozen=True, kw_only=True):
    """``aws-dranet``: in place of the EFA device plugin, never together with it on a node."""

    tolerations: tuple[TolerationValues, ...]
    supported_instance_labels: SupportedInstances | UnsetType = UNSET
    image: Image | UnsetType = UNSET
    resources: Resources | UnsetType = UNSET
    node_selector: dict[str, str] | UnsetType = UNSET
