"""Values are of their own type or refused: no text for a switch, no null, no key that the model lacks."""

from typing import Any

import pytest
from msgspec import ValidationError

from neuron_cluster.schedulers.kubernetes.software.values.cert_manager import CertManagerValues, DigestImage
from neuron_cluster.schedulers.kubernetes.software.values.jobset import Controller, JobsetValues
from neuron_cluster.schedulers.kubernetes.software.values.kubeflow_trainer import KubeflowTrainerValues
from neuron_cluster.schedulers.kubernetes.software.values.pod_settings import (
    Amounts,
    Enable,
    Image,
    Resources,
    TolerationValues,
)


def test_what_is_not_said_is_left_to_the_chart() -> None:
    values = JobsetValues(controller=Controller(replicas=2)).as_values()
    assert values == {"controller": {"replicas": 2}, "certManager": {"enable": False}, "prometheus": {"enable": False}}


def test_values_are_plain_lists_and_dictionaries() -> None:
    values = JobsetValues(
        controller=Controller(tolerations=(TolerationValues(key="team", effect="NoSchedule"),))
    ).as_values()
    assert values["controller"]["tolerations"] == [{"key": "team", "operator": "Exists", "effect": "NoSchedule"}]


def test_a_key_that_is_no_word_of_python_has_its_own_name() -> None:
    values = CertManagerValues.read({"global": {"priorityClassName": "system-cluster-critical"}}).as_values()
    assert values["global"] == {"priorityClassName": "system-cluster-critical"}


WRONG: Any = "false"
NOTHING: Any = None


@pytest.mark.parametrize(
    "values",
    [
        JobsetValues(cert_manager=Enable(enable=WRONG)),
        JobsetValues(cert_manager=NOTHING),
        JobsetValues(controller=NOTHING),
        JobsetValues(controller=Controller(replicas=0)),
        JobsetValues(controller=Controller(replicas=WRONG)),
        JobsetValues(controller=Controller(node_selector={"a": NOTHING})),
        JobsetValues(controller=Controller(resources=Resources(requests=Amounts(memory="16GiB")))),
        JobsetValues(image=Image(tag="latest")),
        CertManagerValues(image=DigestImage(digest="sha256:short")),
    ],
)
def test_a_value_of_another_type_is_refused(values: Any) -> None:
    with pytest.raises(ValidationError):
        values.as_values()


def test_a_misspelt_key_cannot_be_written() -> None:
    with pytest.raises(TypeError, match="certmanager"):
        JobsetValues(certmanager=Enable(enable=True))  # type: ignore[call-arg]  # that is the mistake


@pytest.mark.parametrize(
    ("values", "place"),
    [
        ({"jobset": {"install": "false"}}, "jobset.install"),
        ({"jobset": {"install": None}}, "jobset.install"),
        ({"jobset": {"instal": True}}, "instal"),
        ({"runtimes": {"defaultEnabled": 1}}, "runtimes.defaultEnabled"),
    ],
)
def test_plain_values_are_read_strictly_and_the_place_is_named(values: dict[str, Any], place: str) -> None:
    with pytest.raises(ValidationError, match=place):
        KubeflowTrainerValues.read(values)


def test_what_is_read_is_what_is_written() -> None:
    values = KubeflowTrainerValues()
    assert KubeflowTrainerValues.read(values.as_values()) == values
