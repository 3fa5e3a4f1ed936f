"""One construct draws network interfaces for everything that runs machines; one module of the plan lays them out."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def files_with(word: str, *folders: str) -> set[str]:
    found = (path for folder in folders for path in (ROOT / folder).rglob("*.py"))
    return {str(path.relative_to(ROOT)) for path in found if word in path.read_text(encoding="utf-8")}


@pytest.mark.parametrize("word", ["network_card_index", "NetworkInterfaceProperty", "network_interfaces="])
def test_one_construct_knows_network_cards(word: str) -> None:
    assert files_with(word, "stacks") == {"stacks/constructs/neuron_launch_template.py"}


def test_layouts_become_interfaces_in_one_module() -> None:
    """A workstation has one plain interface and no layout."""
    makers = {"neuron_cluster/planning/build_interfaces.py", "neuron_cluster/planning/build_workstation.py"}
    declared = {"neuron_cluster/plan/machine_plan.py"}
    assert files_with("InterfacePlan(", "neuron_cluster", "stacks") == makers | declared
