"""The packs, rendered once."""

from __future__ import annotations

import sys
from collections.abc import Mapping

import pytest

from neuron_cluster.handover.kubernetes_pack import KubernetesPack
from neuron_cluster.opened_environment import OpenedEnvironment
from tests.five_teams import ROOT
from tests.unit.handover.packs import environment, pack_of

sys.path.insert(0, str(ROOT / "tools"))  # for hint_commands


@pytest.fixture(scope="session")
def opened(tmp_path_factory: pytest.TempPathFactory) -> OpenedEnvironment:
    return environment(tmp_path_factory.mktemp("teams"))


@pytest.fixture(scope="session")
def packs(opened: OpenedEnvironment) -> Mapping[str, KubernetesPack]:
    """By team."""
    return {name: pack_of(opened, name) for name in ("research", "small", "guests")}


@pytest.fixture
def research(packs: Mapping[str, KubernetesPack]) -> KubernetesPack:
    return packs["research"]
