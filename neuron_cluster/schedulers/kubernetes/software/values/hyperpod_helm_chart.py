"""Values of the chart ``hyperpod-helm-chart``: what SageMaker HyperPod needs in the cluster, and nothing else of it."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType, field

from neuron_cluster.schedulers.kubernetes.software.values.closed_values import ClosedValues
from neuron_cluster.schedulers.kubernetes.software.values.pod_settings import Enabled

ON, OFF = Enabled(enabled=True), Enabled(enabled=False)
ImageText = Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9._:/-]*[:@](?!latest$)[A-Za-z0-9_][A-Za-z0-9._:@-]*$")]
"""Repository with its registry, and a tag that is not ``latest`` or a digest."""


class DevicePluginOff(ClosedValues, frozen=True, kw_only=True):
    """A device plugin within the chart: the cluster has its own, or no such device."""

    device_plugin: Enabled = OFF


class HealthMonitoringAgent(ClosedValues, frozen=True, kw_only=True):
    """The DaemonSets that report broken nodes. Without an image the chart would look for the Region in the cluster."""

    enabled: bool = True
    hmaimage: ImageText | UnsetType = UNSET


class HyperpodHelmChartValues(ClosedValues, frozen=True, kw_only=True):
    """``hyperpod-helm-chart``. Parts that are off by default are named too, so that no later chart turns one on."""

    health_monitoring_agent: HealthMonitoringAgent = field(
        default=HealthMonitoringAgent(), name="health-monitoring-agent"
    )
    deep_health_check: Enabled = field(default=ON, name="deep-health-check")
    job_auto_restart: Enabled = field(default=ON, name="job-auto-restart")
    hyperpod_patching: Enabled = field(default=ON, name="hyperpod-patching")
    neuron_device_plugin: DevicePluginOff = field(default=DevicePluginOff(), name="neuron-device-plugin")
    efa_device_plugin: DevicePluginOff = field(default=DevicePluginOff(), name="aws-efa-k8s-device-plugin")
    nvidia_device_plugin: DevicePluginOff = field(default=DevicePluginOff(), name="nvidia-device-plugin")
    gpu_operator: Enabled = field(default=OFF, name="gpu-operator")
    cert_manager: Enabled = field(default=OFF, name="cert-manager")
    mpi_operator: Enabled = field(default=OFF, name="mpi-operator")
    training_operators: Enabled = OFF
    inference_operators: Enabled = OFF
    storage: Enabled = OFF
    mlflow: Enabled = OFF
    cluster_roles: Enabled = field(default=OFF, name="cluster-role-and-bindings")
    namespaced_roles: Enabled = field(default=OFF, name="namespaced-role-and-bindings")
    team_roles: Enabled = field(default=OFF, name="team-role-and-bindings")
