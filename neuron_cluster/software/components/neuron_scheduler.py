"""Neuron scheduler extension, with a second kube-scheduler of the cluster's own version that asks it."""

from __future__ import annotations

from msgspec import UNSET

from neuron_cluster.software.component import Component
from neuron_cluster.software.neuron_chart import plugin_release
from neuron_cluster.software.setting import Setting
from neuron_cluster.software.values.neuron_helm_chart import CustomScheduler, Scheduler
from neuron_cluster.software.values.pod_settings import Enabled, Image


def component(setting: Setting) -> Component:
    """Without a known tag (rule E5036) the one that ``chart_values`` names is used."""
    version = setting.catalog.kubernetes_version(setting.kubernetes_version)
    tag = version.kube_scheduler_tag if version is not None else None
    values = Scheduler(
        enabled=True,
        custom_scheduler=CustomScheduler(enabled=True, image=Image(tag=tag) if tag is not None else UNSET),
        default_scheduler=Enabled(enabled=False),
    )
    return Component(releases=(plugin_release("scheduler", values, setting),))
