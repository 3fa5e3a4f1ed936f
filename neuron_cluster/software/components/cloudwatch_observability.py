"""CloudWatch observability: metrics, those of Neuron devices too, and logs."""

from __future__ import annotations

from neuron_cluster.software.component import Component, ManagedAddon
from neuron_cluster.software.setting import Setting

ADDON = "amazon-cloudwatch-observability"


def component(setting: Setting) -> Component:
    # https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/install-CloudWatch-Observability-EKS-addon.html
    configuration = {} if setting.container_logs else {"containerLogs": {"enabled": False}}
    return Component(addons=(ManagedAddon(name=ADDON, configuration=configuration),))
