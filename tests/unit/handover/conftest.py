"""The packs, rendered once."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager

import pytest

from neuron_cluster.kube.helm import Helm
from neuron_cluster.opened_environment import OpenedEnvironment
from neuron_cluster.schedulers.kubernetes.team_pages.pack import KubernetesPack
from tests.five_teams import ROOT
from tests.unit.handover.packs import environment, pack_of

sys.path.insert(0, str(ROOT / "tools"))  # for hint_commands


Kept = Callable[[], AbstractContextManager[None]]


@pytest.fixture(scope="session")
def keeping_helm(kept_helm: Callable[[str], Helm]) -> Kept:
    """The project's helm is the kept one within a block: rendering takes longer than what these tests are about."""

    @contextmanager
    def keeping() -> Iterator[None]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("neuron_cluster.kube.cluster_tools.project_helm", lambda _, package, __: kept_helm(package))
            yield

    return keeping


@pytest.fixture(scope="module", autouse=True)
def helm_is_kept_everywhere(keeping_helm: Kept) -> Iterator[None]:
    """Also for the packs of a module."""
    with keeping_helm():
        yield


@pytest.fixture(scope="session")
def opened(tmp_path_factory: pytest.TempPathFactory) -> OpenedEnvironment:
    return environment(tmp_path_factory.mktemp("teams"))


@pytest.fixture(scope="session")
def packs(opened: OpenedEnvironment, keeping_helm: Kept) -> Mapping[str, KubernetesPack]:
    """Returns the packs by team."""
    with keeping_helm():
        return {name: pack_of(opened, name) for name in ("research", "small", "guests")}


@pytest.fixture
def research(packs: Mapping[str, KubernetesPack]) -> KubernetesPack:
    return packs["research"]
