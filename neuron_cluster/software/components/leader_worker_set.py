"""LeaderWorkerSet: replicas of a model server that span several nodes."""

from __future__ import annotations

from neuron_cluster.software.component import Component, Release
from neuron_cluster.software.setting import Setting
from neuron_cluster.software.values.lws import LwsValues


def component(setting: Setting) -> Component:
    del setting
    return Component(releases=(Release(chart="lws", values=LwsValues().as_values()),))
