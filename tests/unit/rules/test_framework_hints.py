"""The ways out that E5018 and E5020 name lead to a file without them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from neuron_cluster.findings.finding import Finding
from neuron_cluster.pipeline import check_environment

ENVIRONMENTS = Path(__file__).parents[3] / "environments"


def found(folder: Path, base: str, frameworks: str, *replacements: tuple[str, str]) -> list[Finding]:
    """E5018 and E5020 of a shipped environment with these frameworks."""
    text = (ENVIRONMENTS / f"{base}.yaml").read_text()
    for old, new in (*replacements, ("neuron:\n", f"neuron:\n  frameworks: [{frameworks}]\n")):
        assert re.search(old, text, re.MULTILINE), old
        text = re.sub(old, new, text, count=1, flags=re.MULTILINE)
    (folder / f"{base}.yaml").write_text(text)
    return [each for each in check_environment(folder / f"{base}.yaml").findings if each.id in ("E5018", "E5020")]


@pytest.mark.parametrize(
    ("name", "suggested"),
    [
        ("torch-neuronx", "torch_neuron_native"),
        ("pytorch", "torch_neuron_native"),
        ("lightning", "nxd_training"),
        ("tensorflow", "tensorflow_neuronx"),
    ],
)
def test_a_name_of_a_package_gets_the_framework(name: str, suggested: str, tmp_path: Path) -> None:
    [finding] = found(tmp_path, "dev-inf2", name)
    assert finding.id == "E5018"
    assert f"no instance type of this file supports {suggested}" in finding.message
    assert finding.hint.startswith("use jax or nki; ")
    [finding] = found(tmp_path, "dev-inf2", "jaxx")
    assert finding.hint.startswith("did you mean jax? ")


def test_vllm_on_inf2_is_told_of_the_last_vllm_for_the_chip(tmp_path: Path) -> None:
    [finding] = found(tmp_path, "dev-inf2", "vllm")
    way = re.search(r"use (.*) with Neuron SDK ([0-9.]+), the last release for this Neuron chip", finding.hint)
    assert way is not None
    assert "vllm_nxd" in way[1]
    assert found(tmp_path, "dev-inf2", "vllm_nxd", (r"sdk: .*$", f"sdk: {way[2]}")) == []


def test_a_workstation_is_not_told_to_set_the_release_that_its_dlami_decides(tmp_path: Path) -> None:
    sdk = (r"sdk: .*$", "sdk: 2.33.0")
    machine = (r"instance_type: inf2.xlarge", "instance_type: trn2.3xlarge")
    [finding] = found(tmp_path, "workstation", "torch_neuron_native", sdk, machine)
    assert finding.id == "E5020"
    assert "use Neuron SDK" not in finding.hint
