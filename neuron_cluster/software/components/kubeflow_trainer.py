"""Kubeflow Trainer: TrainJobs, which become JobSets."""

from __future__ import annotations

from neuron_cluster.software.component import Component, Release
from neuron_cluster.software.setting import Setting
from neuron_cluster.software.values.kubeflow_trainer import JobsetSubchart, KubeflowTrainerValues


def component(setting: Setting) -> Component:
    """Its own JobSet stays away where the cluster has one: two would fight over the same objects."""
    values = KubeflowTrainerValues(jobset=JobsetSubchart(install=not setting.has("jobset")))
    return Component(releases=(Release(chart="kubeflow-trainer", values=values.as_values()),))
