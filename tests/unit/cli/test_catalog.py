"""`catalog` on the command line."""

from __future__ import annotations

import pytest

from neuron_cluster.cli.catalog import KINDS, TEXT
from neuron_cluster.report.catalog_page import PAGES

from .conftest import Command

COMPARED = (
    *("name", "family", "chip", "vcpus", "memory_gib", "network_cards", "interfaces_per_card", "efa_interfaces"),
    *("neuron_devices", "neuron_cores", "device_memory_gib", "local_storage_gb", "launchable", "source", "checked_on"),
)
"""Fields of an instance type that other programs read."""


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_both_forms(kind: str, command: Command) -> None:
    shown = command("catalog", kind)
    assert shown.status == 0
    assert max(map(len, shown.out.splitlines())) <= 80
    rows = command("catalog", kind, "--format", "json").document
    assert all(row["source"] and row["checked_on"] for row in rows)
    assert command("catalog", kind, rows[0]["name"]).status == 0
    one = command("catalog", kind, rows[0]["name"], "--format", "json")
    assert one.document == rows[:1]


def test_the_kinds_are_the_pages_and_the_help_names_each() -> None:
    assert set(PAGES) == set(KINDS)
    assert set(KINDS) <= set(TEXT.split())


def test_amis_are_those_of_eks_deep_learning_and_ecs(command: Command) -> None:
    names = {row["name"] for row in command("catalog", "amis", "--format", "json").document}
    assert {"AL2023_x86_64_NEURON", "multi_framework_ubuntu_24_04", "amazon_linux_2023_neuron"} <= names
    one = command("catalog", "amis", "amazon_linux_2023_neuron", "--format", "json").document
    assert [row["name"] for row in one] == ["amazon_linux_2023_neuron"]
    missed = command("catalog", "amis", "vllm_0_24_ubuntu_2404", "--format", "json")
    assert "vllm_0_24_ubuntu_24_04" in missed.document["findings"][0]["hint"]


def test_filters_choose_instances(command: Command) -> None:
    rows = command("catalog", "instances", "--min-chips", "16", "--efa", "--format", "json").document
    assert {"trn1.32xlarge", "trn2.48xlarge"} <= {row["name"] for row in rows}
    assert all(row["neuron_devices"] >= 16 for row in rows)
    rows = command("catalog", "instances", "--family", "trn2", "--region", "us-east-2", "--format", "json").document
    assert [row["name"] for row in rows] == ["trn2.48xlarge"]


def test_instances_have_the_fields_that_programs_compare(command: Command) -> None:
    for row in command("catalog", "instances", "--format", "json").document:
        assert set(COMPARED) <= set(row), row["name"]


def test_frameworks_of_a_chip_answer_what_can_be_run(command: Command) -> None:
    answers = command("catalog", "frameworks", "--chip", "trainium2", "--sdk", "2.32.0", "--format", "json").document
    vllm = next(row for row in answers if row["name"] == "vllm")
    assert vllm["state"] == "beta"
    assert {"dlami": "vllm_0_24_ubuntu_24_04", "virtual_environment": "vllm_0_24"} in vllm["virtual_environments"]
    assert len(vllm["containers"]) == 1
    training = next(row for row in answers if row["name"] == "torch_neuronx_training")
    assert (training["state"], training["successor"]) == ("retired", "torch_neuron_native")
    shown = command("catalog", "frameworks", "--chip", "trainium2", "--sdk", "2.32.0")
    assert "with 2.32.0" in shown.out
    assert all(row["name"] in shown.out for row in answers)


def test_frameworks_of_a_release_answer_for_every_chip(command: Command) -> None:
    shown = command("catalog", "frameworks", "--sdk", "2.32.0")
    assert "AWS Trainium3" in shown.out
    assert "AWS Inferentia2" in shown.out
    answers = command("catalog", "frameworks", "--sdk", "2.32.0", "--format", "json").document
    assert {row["neuron_sdk"] for row in answers} == {"2.32.0"}
    assert {row["chip"] for row in answers} >= {"trainium", "trainium2"}


def test_containers_of_a_release_and_chip(command: Command) -> None:
    rows = command("catalog", "containers", "--sdk", "2.32.0", "--chip", "trainium2", "--format", "json").document
    assert {row["framework"] for row in rows} == {"jax", "vllm"}


@pytest.mark.parametrize(
    ("texts", "known"),
    [
        (("instances", "trn1.32xlarg"), "trn1.32xlarge"),
        (("instances", "trn1"), "--family trn1"),
        (("frameworks", "--chip", "trainum2"), "trainium2"),
        (("containers", "--sdk", "2.32.9"), "2.32.0"),
        (("instances", "--family", "trn4"), "trn2"),
        (("instances", "--region", "us-wset-2"), "us-west-2"),
    ],
)
def test_an_unknown_name_is_an_error_with_a_near_one(texts: tuple[str, ...], known: str, command: Command) -> None:
    ran = command("catalog", *texts, "--format", "json")
    assert ran.status == 1
    assert known in ran.document["findings"][0]["hint"]


@pytest.mark.parametrize(
    "texts",
    [
        ("charts", "--family", "trn1"),
        ("amis", "--sdk", "2.32.0"),
        ("frameworks", "--efa"),
        ("regions", "--chip", "trainium"),
        ("instances", "--sdk", "2.32.0"),
    ],
)
def test_a_filter_that_does_not_fit_the_kind_is_a_wrong_command_line(texts: tuple[str, ...], command: Command) -> None:
    ran = command("catalog", *texts)
    assert ran.status == 2
    assert f"does not filter {texts[0]}" in ran.err


def test_a_name_and_a_filter_together_are_a_wrong_command_line(command: Command) -> None:
    ran = command("catalog", "instances", "trn1.32xlarge", "--family", "inf2")
    assert ran.status == 2
    assert "trn1.32xlarge names one row, --family filters rows" in ran.err
