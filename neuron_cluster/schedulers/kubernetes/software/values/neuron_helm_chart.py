"""Values of the chart ``neuron-helm-chart``: device plugin or DRA driver, detector, scheduler, UltraServer operator."""

from msgspec import UNSET, UnsetType

from neuron_cluster.schedulers.kubernetes.software.values.closed_values import ClosedValues
from neuron_cluster.schedulers.kubernetes.software.values.pod_settings import (
    Account,
    Enabled,
    Image,
    Pod,
    Replicas,
    Resources,
    TolerationValues,
)


class DevicePlugin(Pod, frozen=True, kw_only=True):
    """``devicePlugin``: hands out ``aws.amazon.com/neuron`` and ``neuroncore``."""

    enabled: bool
    image: Image | UnsetType = UNSET


class DraDriver(Pod, frozen=True, kw_only=True):
    """``draDriver``. Where it is on, the chart leaves out plugin and detector without a word."""

    enabled: bool
    image: Image | UnsetType = UNSET


class Detector(ClosedValues, frozen=True, kw_only=True):
    image: Image | UnsetType = UNSET
    resources: Resources | UnsetType = UNSET


class Recovery(ClosedValues, frozen=True, kw_only=True):
    """``npd.nodeRecovery``: removes broken nodes from their Auto Scaling group. Its container always runs.

    ``resources`` must have CPU and memory, as requests and limits: the template names all four.
    """

    enabled: bool
    image: Image | UnsetType = UNSET
    resources: Resources | UnsetType = UNSET
    startup_delay_seconds: int | UnsetType = UNSET


class NodeProblemDetector(ClosedValues, frozen=True, kw_only=True):
    """``npd``: it detects; repair stays with the service, so that nodes have one owner."""

    enabled: bool
    node_recovery: Recovery = Recovery(enabled=False)
    node_problem_detector: Detector | UnsetType = UNSET
    service_account: Account | UnsetType = UNSET
    tolerations: tuple[TolerationValues, ...] | UnsetType = UNSET


class CustomScheduler(Pod, frozen=True, kw_only=True):
    """``scheduler.customScheduler``: a second kube-scheduler, whose tag must be that of the cluster's minor version."""

    enabled: bool
    image: Image | UnsetType = UNSET
    extra_args: tuple[str, ...] | UnsetType = UNSET
    replica_count: Replicas | UnsetType = UNSET


class Scheduler(Pod, frozen=True, kw_only=True):
    """``scheduler``: the extension that keeps the devices of a pod side by side.

    Its other mode changes the scheduler of the control plane, which a managed one does not allow: it stays off.
    """

    enabled: bool
    image: Image | UnsetType = UNSET
    custom_scheduler: CustomScheduler | UnsetType = UNSET
    default_scheduler: Enabled | UnsetType = UNSET


class UltraserverOperator(Pod, frozen=True, kw_only=True):
    """``ultraserverOperator``: gives whole UltraServers to workloads. It needs the DRA driver in the same release."""

    enabled: bool
    image: Image | UnsetType = UNSET
    leader_elect: bool | UnsetType = UNSET


class NeuronHelmChartValues(ClosedValues, frozen=True, kw_only=True):
    """``neuron-helm-chart``. Parts that exclude each other are all set, none left to default.

    ``neuron_instances`` replaces the instance types to which the chart's pods come. Raises ValueError for parts that
    the chart rejects together, or drops.
    """

    device_plugin: DevicePlugin = DevicePlugin(enabled=False)
    npd: NodeProblemDetector = NodeProblemDetector(enabled=False)
    scheduler: Scheduler = Scheduler(enabled=False)
    dra_driver: DraDriver = DraDriver(enabled=False)
    ultraserver_operator: UltraserverOperator = UltraserverOperator(enabled=False)
    neuron_instances: tuple[str, ...] | UnsetType = UNSET

    def __post_init__(self) -> None:
        for conflict, is_there in {
            "the DRA driver drops device plugin and detector": self.dra_driver.enabled
            and (self.device_plugin.enabled or self.npd.enabled),
            "the scheduler extension works with the device plugin alone": self.scheduler.enabled
            and not self.device_plugin.enabled,
            "the UltraServer operator needs the DRA driver": self.ultraserver_operator.enabled
            and not self.dra_driver.enabled,
        }.items():
            if is_there:
                raise ValueError(conflict)
