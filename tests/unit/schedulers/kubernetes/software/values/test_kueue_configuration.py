"""Kueue's configuration is one text, made of a model."""

from typing import Any

import pytest
import yaml
from msgspec import ValidationError

from neuron_cluster.schedulers.kubernetes.software.values.kueue import KueueValues, ManagerConfig
from neuron_cluster.schedulers.kubernetes.software.values.kueue_configuration import (
    DeviceClassMapping,
    Framework,
    Integrations,
    KueueConfiguration,
    LabelSelector,
    QuotaResources,
    WaitForPodsReady,
)


def configuration(*frameworks: Framework, **more: Any) -> KueueConfiguration:
    return KueueConfiguration(
        managed_jobs_namespace_selector=LabelSelector(match_labels={"queues": "on"}),
        integrations=Integrations(frameworks=frameworks),
        **more,
    )


def test_the_text_is_yaml_with_the_same_types() -> None:
    wanted = configuration("batch/job", wait_for_pods_ready=WaitForPodsReady(timeout="30m", block_admission=False))
    text = KueueValues(manager_config=ManagerConfig.of(wanted)).as_values()["managerConfig"]
    read = yaml.safe_load(text["controllerManagerConfigYaml"])
    assert read == wanted.as_values()
    assert read["waitForPodsReady"] == {"timeout": "30m", "blockAdmission": False}


def test_the_addresses_that_the_chart_s_probes_and_services_use_are_part_of_it() -> None:
    values = configuration("batch/job").as_values()
    assert values["health"]["healthProbeBindAddress"] == ":8081"
    assert values["metrics"]["bindAddress"] == ":8443"
    assert values["webhook"]["port"] == 9443


def test_claims_of_devices_count_under_the_name_of_the_quota() -> None:
    mapping = DeviceClassMapping(name="neuron", device_class_names=("neuron.aws.com",))
    values = configuration("batch/job", resources=QuotaResources(device_class_mappings=(mapping,))).as_values()
    assert values["resources"] == {"deviceClassMappings": [{"name": "neuron", "deviceClassNames": ["neuron.aws.com"]}]}


@pytest.mark.parametrize(
    "wrong", [{"wait_for_pods_ready": WaitForPodsReady(timeout="30 minutes")}, {"manage_jobs_without_queue_name": "no"}]
)
def test_what_kueue_could_not_read_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        configuration("batch/job", **wrong).as_text()


def test_an_unknown_framework_is_refused() -> None:
    unknown: Any = "batch/jobs"
    with pytest.raises(ValidationError, match="batch/jobs"):
        configuration(unknown).as_text()


def test_a_retired_key_is_refused() -> None:
    with pytest.raises(ValidationError, match="enable"):
        WaitForPodsReady.read({"enable": True, "timeout": "5m"})
