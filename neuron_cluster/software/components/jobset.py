"""JobSet: jobs of several parts that start and restart together."""

from __future__ import annotations

from neuron_cluster.software.component import Component, Release
from neuron_cluster.software.setting import Setting
from neuron_cluster.software.values.jobset import JobsetValues


def component(setting: Setting) -> Component:
    del setting
    return Component(releases=(Release(chart="jobset", values=JobsetValues().as_values()),))
