"""Which third-party chart each switch of ``eks.addons`` installs: for rules, which make no components.

A test compares it with what the components bring.
"""

from __future__ import annotations

from collections.abc import Mapping

NEURON_CHART = "neuron-helm-chart"
EFA_CHART = "aws-efa-k8s-device-plugin"
MONITOR_CHART = "neuron-monitor"

CHARTS: Mapping[str, str] = {
    "neuron_device_plugin": NEURON_CHART,
    "neuron_dra_driver": NEURON_CHART,
    "neuron_node_problem_detector": NEURON_CHART,
    "neuron_scheduler": NEURON_CHART,
    "neuron_ultraserver_operator": NEURON_CHART,
    "efa_device_plugin": EFA_CHART,
    "kube_prometheus_stack": "kube-prometheus-stack",
    "kueue": "kueue",
    "jobset": "jobset",
    "leader_worker_set": "lws",
    "kubeflow_trainer": "kubeflow-trainer",
    "cert_manager": "cert-manager",
    "aws_load_balancer_controller": "aws-load-balancer-controller",
    "keda": "keda",
}

OWN_CHARTS: Mapping[str, str] = {"neuron_monitor": MONITOR_CHART}
"""The same for charts of ours, which the catalog does not have: their folders below ``charts/``."""

VALUES_OF_SWITCHES: Mapping[str, Mapping[str, str]] = {
    NEURON_CHART: {
        "devicePlugin.enabled": "neuron_device_plugin",
        "draDriver.enabled": "neuron_dra_driver",
        "npd.enabled": "neuron_node_problem_detector",
        "scheduler.enabled": "neuron_scheduler",
        "ultraserverOperator.enabled": "neuron_ultraserver_operator",
    },
    "kubeflow-trainer": {"jobset.install": "jobset"},
}
"""By chart, the dotted paths of values that follow from a switch and nothing else."""
