"""The values we give to third-party charts, as closed models: a misspelt key cannot be written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class ChartValues(BaseModel):
    """Base of all values models. Keys are the chart's own (camel case); ``None`` means: leave the chart's default."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, populate_by_name=True, defer_build=True)

    def as_values(self) -> Mapping[str, Any]:
        """What the chart is given. Unset keys are left out: a null would not survive CDK's language border."""
        return self.model_dump(by_alias=True, exclude_none=True)


class Toleration(ChartValues):
    """A pod toleration, in Kubernetes' words."""

    key: str | None = None
    operator: str = "Exists"
    value: str | None = None
    effect: str | None = None


class Enabled(ChartValues):
    """A part of a chart that is on or off."""

    enabled: bool


class NodeProblemDetector(ChartValues):
    """``npd`` of the Neuron chart: it detects; repair stays with EKS, so that nodes have one owner."""

    enabled: bool
    node_recovery: Enabled = Field(default_factory=lambda: Enabled(enabled=False), alias="nodeRecovery")


class DevicePlugin(ChartValues):
    """``devicePlugin`` of the Neuron chart."""

    enabled: bool
    tolerations: list[Toleration] | None = None


class DraDriver(ChartValues):
    """``draDriver`` of the Neuron chart. Where it is on, the chart leaves out plugin and detector without a word."""

    enabled: bool
    tolerations: list[Toleration] | None = None


class NeuronChartValues(ChartValues):
    """``neuron-helm-chart``. Parts that exclude each other (device plugin, DRA) are all said, none left to default."""

    device_plugin: DevicePlugin = Field(alias="devicePlugin")
    npd: NodeProblemDetector
    scheduler: Enabled = Field(default_factory=lambda: Enabled(enabled=False))
    dra_driver: DraDriver = Field(default_factory=lambda: DraDriver(enabled=False), alias="draDriver")
    ultraserver_operator: Enabled = Field(default_factory=lambda: Enabled(enabled=False), alias="ultraserverOperator")


class EfaPluginValues(ChartValues):
    """``aws-efa-k8s-device-plugin``: without our tolerations it never runs on a tainted Neuron node."""

    tolerations: list[Toleration]
