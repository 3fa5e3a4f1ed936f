"""Parts that the values of many charts share, in Kubernetes' words: resources, tolerations, images, accounts."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from neuron_cluster.schedulers.kubernetes.software.values.closed_values import ClosedValues

Quantity = Annotated[str, Meta(pattern=r"^[0-9]+(\.[0-9]+)?(m|Ki|Mi|Gi|Ti|k|M|G|T)?$")]
"""An amount such as ``500m`` or ``4Gi``: always a text, since YAML would make a number of ``1``."""
Duration = Annotated[str, Meta(pattern=r"^([0-9]+(ms|s|m|h))+$")]
"""A time as Go writes it: ``5m`` or ``1h30m``."""
Replicas = Annotated[int, Meta(ge=1)]
ImageRepository = Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9._:/-]*[a-z0-9]$")]
ImageTag = Annotated[str, Meta(pattern=r"^(?!latest$)[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$")]
"""A tag that is not ``latest``."""
Digest = Annotated[str, Meta(pattern=r"^(sha256:[0-9a-f]{64})?$")]


class Enabled(ClosedValues, frozen=True, kw_only=True):
    """A part of a chart that is on or off."""

    enabled: bool


class Enable(ClosedValues, frozen=True, kw_only=True):
    """The same, in charts that spell the key without a d."""

    enable: bool


class TolerationValues(ClosedValues, frozen=True, kw_only=True):
    """A toleration of the pod."""

    key: str | UnsetType = UNSET
    operator: Literal["Exists", "Equal"] = "Exists"
    value: str | UnsetType = UNSET
    effect: Literal["NoSchedule", "PreferNoSchedule", "NoExecute"] | UnsetType = UNSET


class Amounts(ClosedValues, frozen=True, kw_only=True):
    """Processor and memory."""

    cpu: Quantity | UnsetType = UNSET
    memory: Quantity | UnsetType = UNSET


class Resources(ClosedValues, frozen=True, kw_only=True):
    """Requests and limits of a container."""

    requests: Amounts | UnsetType = UNSET
    limits: Amounts | UnsetType = UNSET


class Image(ClosedValues, frozen=True, kw_only=True):
    """An image whose repository begins with its registry."""

    repository: ImageRepository | UnsetType = UNSET
    tag: ImageTag | UnsetType = UNSET


class RegistryImage(ClosedValues, frozen=True, kw_only=True):
    """An image in charts that keep the registry apart from the repository."""

    registry: str | UnsetType = UNSET
    repository: ImageRepository | UnsetType = UNSET
    tag: ImageTag | UnsetType = UNSET


class Account(ClosedValues, frozen=True, kw_only=True):
    """Annotations of a service account that the chart makes."""

    annotations: dict[str, str]


class Pod(ClosedValues, frozen=True, kw_only=True):
    """Where a pod runs and what it requests, in charts that keep the four together."""

    resources: Resources | UnsetType = UNSET
    node_selector: dict[str, str] | UnsetType = UNSET
    tolerations: tuple[TolerationValues, ...] | UnsetType = UNSET
