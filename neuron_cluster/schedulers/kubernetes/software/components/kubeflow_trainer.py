"""Kubeflow Trainer: TrainJobs, with runtimes for Neuron nodes."""

from __future__ import annotations

from neuron_cluster.schedulers.kubernetes.software.component import Component, Release
from neuron_cluster.schedulers.kubernetes.software.component_context import ComponentContext
from neuron_cluster.schedulers.kubernetes.software.training_runtimes import CHART, training_runtimes
from neuron_cluster.schedulers.kubernetes.software.values.kubeflow_trainer import JobsetSubchart, KubeflowTrainerValues


def component(context: ComponentContext) -> Component:
    """Its own JobSet only where the cluster has none: two would fight over the same objects."""
    values = KubeflowTrainerValues(jobset=JobsetSubchart(install=not context.has("jobset")))
    return Component(releases=(Release(chart=CHART, values=values.as_values()),), manifests=training_runtimes(context))
