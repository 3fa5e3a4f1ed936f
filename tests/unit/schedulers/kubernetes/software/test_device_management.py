"""The software that allocates Neuron devices, and which parts of the chart follow from it."""

from pathlib import Path

import pytest

from neuron_cluster.pipeline import check_environment
from neuron_cluster.plan.addon_plan import DeviceManagementPlan
from neuron_cluster.providers.eks.config.addons import Addons
from neuron_cluster.schedulers.kubernetes.software.device_management import (
    NeuronSoftware,
    device_management_for,
    neuron_software,
)

TRAINING = Path(__file__).parents[5] / "environments" / "train-trn1.yaml"


def software(*, has_neuron: bool = True, **switches: str) -> NeuronSoftware:
    return neuron_software(Addons.model_validate(switches).flags, has_neuron=has_neuron)


def management(*, has_neuron: bool = True, **switches: str) -> DeviceManagementPlan:
    groups = check_environment(TRAINING).require_plan().kubernetes.node_groups
    wanted = [group for group in groups if has_neuron or not group.machine.is_neuron]
    return device_management_for(Addons.model_validate(switches).flags, wanted, ("eks", "addons"))


def test_neuron_nodes_bring_the_device_plugin_with_its_detector_and_others_nothing():
    assert software() == NeuronSoftware(device_plugin=True, dra_driver=False, detector=True)
    assert software(has_neuron=False) == NeuronSoftware(device_plugin=False, dra_driver=False, detector=False)


def test_the_dra_driver_takes_the_plugins_place_and_leaves_the_detector():
    assert software(neuron_dra_driver="true") == NeuronSoftware(device_plugin=False, dra_driver=True, detector=True)


def test_what_the_file_says_is_never_overruled():
    asked = {"neuron_device_plugin": "true", "neuron_dra_driver": "true", "neuron_node_problem_detector": "false"}
    assert software(**asked) == NeuronSoftware(device_plugin=True, dra_driver=True, detector=False)
    assert software(neuron_device_plugin="false") == NeuronSoftware(False, False, False)


@pytest.mark.parametrize(
    ("switches", "ways", "key", "says"),
    [
        ({}, ("device_plugin",), "neuron_device_plugin", "there is a Neuron node group"),
        ({"neuron_dra_driver": "true"}, ("dra",), "neuron_dra_driver", "neuron_dra_driver is true"),
        ({"neuron_device_plugin": "true"}, ("device_plugin",), "neuron_device_plugin", "neuron_device_plugin is true"),
        ({"neuron_device_plugin": "false"}, (), "neuron_device_plugin", "neuron_device_plugin is false"),
    ],
)
def test_the_plan_says_which_way_and_why(switches: dict[str, str], ways: tuple[str, ...], key: str, says: str):
    plan = management(**switches)
    assert (plan.ways, plan.path) == (ways, ("eks", "addons", key))
    assert says in plan.reason


def test_a_cluster_without_neuron_nodes_says_so():
    plan = management(has_neuron=False)
    assert (plan.ways, plan.reason) == ((), "no node group has Neuron devices")
