"""Facts about the Neuron SDK, frameworks, Slurm, and what runs on a Kubernetes cluster."""

from __future__ import annotations

from neuron_cluster.catalog import (
    chart,
    device_management,
    driver_conflict,
    framework,
    kubernetes_version,
    managed_addon,
    manifest,
    model,
    neuron_alarm,
    neuron_metric,
    neuron_sdk,
    parallelcluster,
    pod_permission,
    slurm,
    slurm_options,
    slurm_software,
    workload_shape,
)
from neuron_cluster.catalog.chart import Chart
from neuron_cluster.catalog.device_management import DeviceManagement
from neuron_cluster.catalog.driver_conflict import DriverConflict, DriverWindow
from neuron_cluster.catalog.framework import Framework
from neuron_cluster.catalog.kubernetes_version import KubernetesVersion
from neuron_cluster.catalog.managed_addon import ManagedAddon
from neuron_cluster.catalog.manifest import Manifest
from neuron_cluster.catalog.model import Model
from neuron_cluster.catalog.neuron_alarm import NeuronAlarm
from neuron_cluster.catalog.neuron_metric import NeuronMetric
from neuron_cluster.catalog.neuron_sdk import NeuronSdk
from neuron_cluster.catalog.parallelcluster import ParallelClusterRelease
from neuron_cluster.catalog.pod_permission import PodPermission
from neuron_cluster.catalog.slurm import PcsSize, SlurmDoubt, SlurmSettings, SlurmVersion
from neuron_cluster.catalog.slurm_options import SlurmOptions
from neuron_cluster.catalog.slurm_software import SlurmSoftware
from neuron_cluster.catalog.workload_shape import WorkloadShape


class SoftwareFacts:
    """Queries of these rows; ``Catalog`` has them all."""

    def model(self, name: str) -> Model | None:
        """The language model that is served under this name."""
        return model.model(name)

    @property
    def models(self) -> tuple[Model, ...]:
        return tuple(model.models().values())

    @property
    def neuron_metrics(self) -> tuple[NeuronMetric, ...]:
        """The metrics of dashboards."""
        return tuple(neuron_metric.neuron_metrics().values())

    @property
    def neuron_alarms(self) -> tuple[NeuronAlarm, ...]:
        """The alarms, with their default thresholds."""
        return tuple(neuron_alarm.neuron_alarms().values())

    def kubernetes_version(self, version: str) -> KubernetesVersion | None:
        return kubernetes_version.kubernetes_version(version)

    @property
    def kubernetes_versions(self) -> tuple[KubernetesVersion, ...]:
        """The oldest first."""
        return tuple(kubernetes_version.kubernetes_versions().values())

    def managed_addon(self, name: str) -> ManagedAddon | None:
        return managed_addon.managed_addon(name)

    @property
    def managed_addons(self) -> tuple[ManagedAddon, ...]:
        return tuple(managed_addon.managed_addons().values())

    def chart(self, name: str) -> Chart | None:
        return chart.chart(name)

    @property
    def charts(self) -> tuple[Chart, ...]:
        return tuple(chart.charts().values())

    def manifest(self, name: str) -> Manifest | None:
        """Software that has no chart."""
        return manifest.manifest(name)

    @property
    def manifests(self) -> tuple[Manifest, ...]:
        return tuple(manifest.manifests().values())

    @property
    def pod_permissions(self) -> tuple[PodPermission, ...]:
        return tuple(pod_permission.pod_permissions().values())

    def pod_permissions_of(self, chart: str) -> tuple[PodPermission, ...]:
        """The IAM permissions of the pods of a chart."""
        return pod_permission.pod_permissions_of(chart)

    @property
    def workload_shapes(self) -> tuple[WorkloadShape, ...]:
        return tuple(workload_shape.workload_shapes().values())

    def workload_shapes_of(self, software: str) -> tuple[WorkloadShape, ...]:
        """The DaemonSets, Deployments, … that a chart, managed add-on or manifest creates."""
        return workload_shape.workload_shapes_of(software)

    def neuron_sdk(self, release: str) -> NeuronSdk | None:
        return neuron_sdk.neuron_sdk(release)

    @property
    def neuron_sdks(self) -> tuple[NeuronSdk, ...]:
        """The newest first."""
        return tuple(neuron_sdk.neuron_sdks().values())

    def similar_neuron_sdks(self, release: str) -> list[str]:
        return neuron_sdk.similar_neuron_sdks(release)

    def framework(self, name: str) -> Framework | None:
        return framework.framework(name)

    @property
    def frameworks(self) -> tuple[Framework, ...]:
        return tuple(framework.frameworks().values())

    def similar_frameworks(self, name: str) -> list[str]:
        return framework.similar_frameworks(name)

    @property
    def driver_conflicts(self) -> tuple[DriverConflict, ...]:
        return tuple(driver_conflict.driver_conflicts().values())

    def conflicts_between(self, runtime: str, driver: str) -> tuple[DriverConflict, ...]:
        """The conflicts of these two, those without doubt first; empty without a known conflict."""
        return driver_conflict.conflicts_between(runtime, driver)

    def driver_window(self, runtime: str) -> DriverWindow:
        """The drivers that a runtime works with."""
        return driver_conflict.driver_window(runtime)

    @property
    def device_managements(self) -> tuple[DeviceManagement, ...]:
        return tuple(device_management.device_managements().values())

    def device_management(self, name: str) -> DeviceManagement:
        """Unlike the others, an unknown name raises LookupError: code writes it, not a user."""
        return device_management.device_management(name)

    def slurm_version(self, version: str) -> SlurmVersion | None:
        """None for a version that AWS PCS does not run."""
        return slurm.slurm_versions().get(version)

    @property
    def slurm_versions(self) -> tuple[SlurmVersion, ...]:
        """The oldest first."""
        return tuple(slurm.slurm_versions().values())

    def pcs_size(self, name: str) -> PcsSize:
        """Unlike the others, an unknown name raises LookupError: the model of the file has the names."""
        return slurm.pcs_sizes()[name]

    @property
    def pcs_sizes(self) -> tuple[PcsSize, ...]:
        """The smallest first."""
        return tuple(slurm.pcs_sizes().values())

    def slurm_settings_of(self, level: str) -> SlurmSettings:
        """Unlike the others, an unknown level raises LookupError: code writes it, not a user."""
        return slurm.slurm_settings()[level]

    @property
    def slurm_settings(self) -> tuple[SlurmSettings, ...]:
        """Settings of the cluster, a group and a queue."""
        return tuple(slurm.slurm_settings().values())

    def slurm_options_of(self, program: str) -> SlurmOptions:
        """Unlike the others, an unknown program raises LookupError: code writes it, not a user."""
        return slurm_options.slurm_options()[program]

    @property
    def slurm_options(self) -> tuple[SlurmOptions, ...]:
        """The options of programs of Slurm: of sbatch."""
        return tuple(slurm_options.slurm_options().values())

    def slurm_doubt(self, name: str) -> SlurmDoubt:
        """Unlike the others, an unknown name raises LookupError: code writes it, not a user."""
        return slurm.slurm_doubts()[name]

    @property
    def slurm_doubts(self) -> tuple[SlurmDoubt, ...]:
        """Open questions about Neuron instances on AWS PCS."""
        return tuple(slurm.slurm_doubts().values())

    @property
    def slurm_software(self) -> tuple[SlurmSoftware, ...]:
        """The software of the AMI of Slurm nodes, in addition to its Deep Learning AMI."""
        return tuple(slurm_software.slurm_software().values())

    def slurm_software_row(self, name: str) -> SlurmSoftware:
        """Unlike the others, an unknown name raises LookupError: code writes it, not a user."""
        return slurm_software.slurm_software()[name]

    def slurm_installer(self, slurm_version: str) -> SlurmSoftware | None:
        """None for a Slurm version whose installer no source names."""
        return slurm_software.software_for(slurm_software.INSTALLER, slurm_version)

    def pyxis(self, slurm_version: str) -> SlurmSoftware | None:
        """None for a Slurm version that no source builds it for."""
        return slurm_software.software_for(slurm_software.PYXIS, slurm_version)

    def newest_parallelcluster(self) -> ParallelClusterRelease:
        """The newest known release of AWS ParallelCluster."""
        return self.parallelcluster_releases[-1]

    @property
    def parallelcluster_releases(self) -> tuple[ParallelClusterRelease, ...]:
        """The newest last."""
        return tuple(parallelcluster.parallelcluster_releases().values())
