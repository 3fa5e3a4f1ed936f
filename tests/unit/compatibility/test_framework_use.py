"""Which release a machine is to run a framework with, and what stands in its way there."""

import re
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.compatibility.framework_use import FrameworkUse, requested_frameworks
from neuron_cluster.rules.framework_hints import describe_machine, nearest_sets
from tests.unit.resolved.resolved_file import resolved_of

CATALOG = load_catalog()
VLLM_16 = "pytorch-inference-vllm-neuronx:0.16.0-neuronx-py312-sdk2.31.1-ubuntu24.04"
FRAMEWORKS = "neuron.frameworks"
DLAMI, VENV = "workstations[0].dlami", "workstations[0].virtual_environment"


def uses_of(folder: Path, base: str, edits: dict[str, Any]) -> list[FrameworkUse]:
    return [
        use for asked in requested_frameworks(resolved_of(folder, base, edits), CATALOG, None) for use in asked.uses
    ]


@pytest.mark.parametrize(
    ("base", "edits", "release"),
    [
        ("dev-inf2", {FRAMEWORKS: ["vllm_nxd"]}, "2.32.0"),
        ("dev-inf2", {FRAMEWORKS: ["vllm_nxd"], "neuron.containers": [VLLM_16]}, "2.31.1"),
        ("dev-inf2", {FRAMEWORKS: ["jax"], "neuron.containers": [VLLM_16]}, "2.32.0"),
        ("workstation", {FRAMEWORKS: ["jax"], "neuron.sdk": "2.31.1"}, "2.32.0"),
        ("workstation", {FRAMEWORKS: ["jax"], "neuron.sdk": "2.31.1", DLAMI: "base_ubuntu_24_04"}, "2.31.1"),
    ],
)
def test_the_release_is_of_the_container_else_of_the_image_else_of_the_file(
    base: str, edits: dict[str, Any], release: str, tmp_path: Path
) -> None:
    (use,) = uses_of(tmp_path, base, edits)
    assert use.sdk == release


def test_a_retired_framework_is_impossible_once_the_release_does_not_ship_it(tmp_path: Path) -> None:
    (shipped,) = uses_of(tmp_path, "train-trn1", {FRAMEWORKS: ["torch_neuronx_training"], "neuron.sdk": "2.31.1"})
    (gone,) = uses_of(tmp_path, "train-trn1", {FRAMEWORKS: ["torch_neuronx_training"]})
    assert (shipped.is_retired, shipped.is_impossible) == (True, False)
    assert (gone.is_retired, gone.is_impossible) == (True, True)


def test_containers_bring_an_operating_system_of_their_own(tmp_path: Path) -> None:
    (node,) = uses_of(tmp_path, "train-trn2", {FRAMEWORKS: ["vllm"]})
    box = {"workstations[0].instance_type": "trn2.3xlarge", DLAMI: "base_amazon_linux_2023"}
    (box_use,) = uses_of(tmp_path, "workstation", {FRAMEWORKS: ["vllm"], **box})
    assert (node.is_rejected_by_system, node.is_at_home) == (False, True)
    assert (box_use.is_rejected_by_system, box_use.is_at_home) == (True, False)


@pytest.mark.parametrize(
    ("dlami", "missing"),
    [("jax_0_10_ubuntu_24_04", False), ("base_ubuntu_24_04", False), ("pytorch_2_9_ubuntu_24_04", True)],
)
def test_a_base_image_lacks_nothing_and_another_one_what_it_does_not_hold(
    dlami: str, missing: bool, tmp_path: Path
) -> None:
    (use,) = uses_of(tmp_path, "workstation", {FRAMEWORKS: ["jax"], DLAMI: dlami})
    assert use.is_missing_in_image == missing


def test_an_unknown_framework_is_left_to_its_rule(tmp_path: Path) -> None:
    assert uses_of(tmp_path, "train-trn1", {FRAMEWORKS: ["no_such_thing"]}) == []


def test_every_set_that_is_proposed_runs(tmp_path: Path) -> None:
    """The release, machines and framework of the hint are supported, for every framework, release and family."""
    types = {"inferentia2": "inf2.xlarge", "trainium": "trn1.2xlarge", "trainium2": "trn2.3xlarge"}
    families = {row.family: row.chip for row in CATALOG.instance_types if row.chip is not None}
    for chip, name in types.items():
        for sdk in (row.name for row in CATALOG.neuron_sdks):
            edits = {
                FRAMEWORKS: [row.name for row in CATALOG.frameworks],
                "neuron.sdk": sdk,
                "eks.node_groups[1].instance_type": name,
            }
            for use in uses_of(tmp_path, "dev-inf2", edits):
                if not use.is_impossible:
                    continue
                for option in nearest_sets(use, CATALOG).split(", or "):
                    words = option.split()
                    earlier = re.fullmatch(
                        r"use (.+) with Neuron SDK (\S+), the last release for this Neuron chip", option
                    )
                    if earlier is not None:
                        names = re.split(r", | or ", earlier[1])
                        frameworks = [CATALOG.frameworks.get(each) for each in names]
                        assert all(framework and framework.runs_on(chip, earlier[2]) for framework in frameworks)
                        continue
                    if words[:3] == ["use", "Neuron", "SDK"]:
                        assert use.framework.runs_on(chip, words[3])
                    elif words[:3] == ["use", "instance", "types"]:
                        taken = [word.strip(",") for word in words[4:] if word != "or"]
                        assert all(use.framework.runs_on(families[family] or "", sdk) for family in taken)
                    elif words[1] != "another":
                        other = CATALOG.frameworks.get(words[1])
                        assert other is not None
                        assert other.runs_on(chip, sdk)


def test_a_machine_is_named_with_its_type_chip_and_release(tmp_path: Path) -> None:
    (use,) = uses_of(tmp_path, "train-trn1", {FRAMEWORKS: ["jax"]})
    assert describe_machine(use, CATALOG) == "trn1 (trn1.32xlarge, AWS Trainium) with Neuron SDK 2.32.0"
