"""Values of the chart ``lws``: LeaderWorkerSet, replicas of a model that span several nodes."""

from typing import Literal

from msgspec import UNSET, UnsetType

from neuron_cluster.schedulers.kubernetes.software.values.closed_values import ClosedValues
from neuron_cluster.schedulers.kubernetes.software.values.pod_settings import Image, Pod, Replicas


class Images(ClosedValues, frozen=True, kw_only=True):
    manager: Image


class GangScheduling(ClosedValues, frozen=True, kw_only=True):
    """Another scheduler that places the pods of a group together."""

    scheduler_provider: Literal["volcano"]


class LwsValues(Pod, frozen=True, kw_only=True):
    """``lws``. ``enable_disaggregated_set`` adds roles and a webhook for a kind that is installed in any case."""

    enable_prometheus: bool = False
    enable_cert_manager: bool = False
    enable_disaggregated_set: bool = False
    replica_count: Replicas | UnsetType = UNSET
    image: Images | UnsetType = UNSET
    priority_class_name: str | UnsetType = UNSET
    gang_scheduling_management: GangScheduling | UnsetType = UNSET
