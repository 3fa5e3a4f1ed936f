"""The Neuron chart: parts that exclude each other cannot be asked for together."""

from typing import Any

import pytest

from neuron_cluster.schedulers.kubernetes.software.values.neuron_helm_chart import (
    DevicePlugin,
    DraDriver,
    NeuronHelmChartValues,
    NodeProblemDetector,
    Scheduler,
    UltraserverOperator,
)

PLUGIN = {"device_plugin": DevicePlugin(enabled=True), "npd": NodeProblemDetector(enabled=True)}
NEITHER = {"device_plugin": DevicePlugin(enabled=False), "npd": NodeProblemDetector(enabled=False)}
DRA = {**NEITHER, "dra_driver": DraDriver(enabled=True)}


@pytest.mark.parametrize(
    "parts",
    [
        PLUGIN,
        NEITHER,
        DRA,
        {**DRA, "ultraserver_operator": UltraserverOperator(enabled=True)},
        {**PLUGIN, "scheduler": Scheduler(enabled=True)},
    ],
)
def test_every_part_is_on_or_off_and_none_left_to_default(parts: dict[str, Any]) -> None:
    values = NeuronHelmChartValues(**parts).as_values()
    on = {key for key, value in values.items() if value["enabled"]}
    assert set(values) == {"devicePlugin", "npd", "scheduler", "draDriver", "ultraserverOperator"}
    assert len(on) == sum(part.enabled for part in parts.values())
    assert values["npd"]["nodeRecovery"] == {"enabled": False}


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ({**PLUGIN, "dra_driver": DraDriver(enabled=True)}, "drops device plugin"),
        ({**DRA, "npd": NodeProblemDetector(enabled=True)}, "drops device plugin and detector"),
        ({**NEITHER, "scheduler": Scheduler(enabled=True)}, "device plugin alone"),
        ({**PLUGIN, "ultraserver_operator": UltraserverOperator(enabled=True)}, "needs the DRA driver"),
    ],
)
def test_parts_that_the_chart_drops_or_refuses_together_are_refused_here(parts: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        NeuronHelmChartValues(**parts)


def test_what_no_switch_asks_for_is_off() -> None:
    values = NeuronHelmChartValues().as_values()
    assert [part for part, setting in values.items() if setting["enabled"]] == []
