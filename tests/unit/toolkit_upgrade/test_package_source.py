"""Where pip may look for the toolkit: in places of the user, and in a public index never."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.errors import ToolkitError
from neuron_cluster.toolkit_upgrade.package_source import (
    PackageSource,
    ToolkitSource,
    configured_places,
    toolkit_source,
)
from neuron_cluster.toolkit_upgrade.pip_install import Pip
from tests.wheels import write_index, write_wheel

CATALOG = load_catalog()

OWN, OTHER = "https://packages.example.com/simple", "https://mirror.example.com/simple"


@pytest.mark.parametrize(
    ("given", "configured"),
    [
        (PackageSource(), {}),
        (PackageSource(has_index=False), {"index-url": OWN}),
        (PackageSource(), {"index-url": "https://pypi.org/simple"}),
        (PackageSource(), {"index-url": "https://user:word@PyPI.org.:443/simple"}),
        (PackageSource(), {"extra-index-url": "https://test.pypi.org/simple"}),
        (PackageSource(index_url="https://mirrors.aliyun.com/pypi/simple"), {}),
        (PackageSource(), {"index-url": "https://pypi.tuna.tsinghua.edu.cn/simple"}),
        (PackageSource(), {"index-url": "https://pypi%2eorg/simple"}),
        (PackageSource(), {"index-url": "https://pypi\u3002org/simple"}),
        (PackageSource(), {"no-index": "true", "index-url": OWN}),
        (PackageSource(index_url="https://pypi.org/simple"), {"index-url": OWN}),
        (PackageSource(find_links="https://pypi.org/simple/neuron-cluster-toolkit/"), {}),
    ],
)
def test_a_public_index_or_none_is_refused(given: PackageSource, configured: Mapping[str, str]) -> None:
    with pytest.raises(ToolkitError) as raised:
        toolkit_source(given, configured, CATALOG)
    assert raised.value.hint.startswith("name a place that has it: --wheel FILE, --find-links DIR, --index-url URL")


@pytest.mark.parametrize(
    ("given", "configured", "found"),
    [
        (PackageSource(find_links="/w"), {"index-url": OWN}, ToolkitSource(find_links=("/w",))),
        (PackageSource(index_url=OWN, find_links="/w"), {}, ToolkitSource(find_links=("/w",))),
        (PackageSource(), {"find-links": "/w /v", "index-url": OWN}, ToolkitSource(find_links=("/w", "/v"))),
        (PackageSource(index_url=OWN), {"find-links": "/w", "extra-index-url": OTHER}, ToolkitSource(indexes=(OWN,))),
        (PackageSource(), {"index-url": OWN, "extra-index-url": OTHER}, ToolkitSource(indexes=(OWN, OTHER))),
        (PackageSource(), {"extra-index-url": f"{OWN} https://pypi.org/simple"}, ToolkitSource(indexes=(OWN,))),
        (PackageSource(), {"index-url": "https://pypi.org.example.com/"},
         ToolkitSource(indexes=("https://pypi.org.example.com/",))),
    ],
)  # fmt: skip
def test_options_come_before_the_configuration_and_folders_before_indexes(
    given: PackageSource, configured: Mapping[str, str], found: ToolkitSource
) -> None:
    assert toolkit_source(given, configured, CATALOG) == found


def test_a_folder_is_of_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert list(PackageSource(find_links="wheels").arguments) == [f"--find-links={tmp_path}/wheels"]
    assert toolkit_source(PackageSource(), {"find-links": "wheels"}, CATALOG).find_links == (f"{tmp_path}/wheels",)


def test_the_configuration_is_that_of_pip_install() -> None:
    listed = (
        "download.index-url='https://a.example.com'\nglobal.index-url='https://b.example.com'\n"
        ":env:.find-links='/opt/wheels'\nglobal.find-links='/w\\n/v'\ninstall.index-url='https://c.example.com'\n"
    )
    assert configured_places(listed) == {"index-url": "https://c.example.com", "find-links": "/opt/wheels"}


def test_a_newer_release_or_build_of_an_index_does_not_win_over_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("own", "theirs", "work", "work/none-yet"):
        (tmp_path / name).mkdir()
    own = write_wheel(tmp_path / "own", "1.0")
    theirs = write_wheel(tmp_path / "theirs", "1.0", build="-9"), write_wheel(tmp_path / "theirs", "99.1")
    url = write_index(tmp_path, *theirs)
    monkeypatch.setenv("PIP_INDEX_URL", url)
    monkeypatch.setenv("PIP_EXTRA_INDEX_URL", url)
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "theirs"))
    pip = Pip(tmp_path / "work", print)
    place = pip.source_of_toolkit("neuron-cluster-toolkit", PackageSource(find_links=str(tmp_path / "own")), CATALOG)
    found = pip.download("neuron-cluster-toolkit", place, tmp_path / "got")
    assert found.read_bytes() == own.read_bytes()
