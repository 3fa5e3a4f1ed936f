"""Values of the chart ``kueue``: queues and quotas for jobs."""

from typing import Literal, Self

from msgspec import UNSET, UnsetType

from neuron_cluster.schedulers.kubernetes.software.values.closed_values import ClosedValues
from neuron_cluster.schedulers.kubernetes.software.values.kueue_configuration import KueueConfiguration, LabelSelector
from neuron_cluster.schedulers.kubernetes.software.values.pod_settings import (
    Image,
    Replicas,
    Resources,
    TolerationValues,
)


class FeatureGate(ClosedValues, frozen=True, kw_only=True):
    name: str
    enabled: bool


class Manager(ClosedValues, frozen=True, kw_only=True):
    image: Image | UnsetType = UNSET
    priority_class_name: str | UnsetType = UNSET
    resources: Resources | UnsetType = UNSET


class DisruptionBudget(ClosedValues, frozen=True, kw_only=True):
    enabled: bool
    min_available: Replicas | UnsetType = UNSET


class SpreadConstraint(ClosedValues, frozen=True, kw_only=True):
    """One of Kubernetes' ``topologySpreadConstraints``."""

    max_skew: Replicas
    topology_key: str
    when_unsatisfiable: Literal["DoNotSchedule", "ScheduleAnyway"]
    label_selector: LabelSelector


class ControllerManager(ClosedValues, frozen=True, kw_only=True):
    """``controllerManager``: the only pods, which must run before jobs of the kinds that they manage can be created."""

    feature_gates: tuple[FeatureGate, ...] | UnsetType = UNSET
    manager: Manager | UnsetType = UNSET
    replicas: Replicas | UnsetType = UNSET
    node_selector: dict[str, str] | UnsetType = UNSET
    tolerations: tuple[TolerationValues, ...] | UnsetType = UNSET
    topology_spread_constraints: tuple[SpreadConstraint, ...] | UnsetType = UNSET
    pod_disruption_budget: DisruptionBudget | UnsetType = UNSET


class ManagerConfig(ClosedValues, frozen=True, kw_only=True):
    """The configuration as text; ``ManagerConfig.of`` makes it from the model."""

    controller_manager_config_yaml: str

    @classmethod
    def of(cls, configuration: KueueConfiguration) -> Self:
        return cls(controller_manager_config_yaml=configuration.as_text())


class KueueValues(ClosedValues, frozen=True, kw_only=True):
    """``kueue``. The dashboard stays off: its defaults hold no authentication."""

    enable_prometheus: bool = False
    enable_cert_manager: bool = False
    enable_kueue_viz: bool = False
    controller_manager: ControllerManager | UnsetType = UNSET
    manager_config: ManagerConfig
