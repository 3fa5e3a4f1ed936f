"""Values of the chart ``aws-efa-k8s-device-plugin``: hands out ``vpc.amazonaws.com/efa``."""

from msgspec import UNSET, UnsetType

from local_kubernetes.model.names import INSTANCE_TYPE_LABEL
from neuron_cluster.schedulers.kubernetes.software.values.closed_values import ClosedValues
from neuron_cluster.schedulers.kubernetes.software.values.pod_settings import Image, Resources, TolerationValues


class SupportedInstances(ClosedValues, frozen=True, kw_only=True):
    """``supportedInstanceLabels``: the list replaces the chart's own, so it must name every type of the cluster."""

    keys: tuple[str, ...] = (INSTANCE_TYPE_LABEL,)
    values: tuple[str, ...]


class AwsEfaK8sDevicePluginValues(ClosedValues, frozen=True, kw_only=True):
    """``aws-efa-k8s-device-plugin``: without our tolerations it never runs on a tainted Neuron node."""

    tolerations: tuple[TolerationValues, ...]
    supported_instance_labels: SupportedInstances | UnsetType = UNSET
    image: Image | UnsetType = UNSET
    resources: Resources | UnsetType = UNSET
    node_selector: dict[str, str] | UnsetType = UNSET
