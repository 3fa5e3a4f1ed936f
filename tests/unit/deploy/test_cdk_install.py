"""`neuron-cluster setup`: npm installs the CDK command completely or not at all. These npm reach no registry."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from neuron_cluster.deploy.cdk_install import install_cdk
from neuron_cluster.deploy.node import cdk_folder, cdk_script, cdk_version, node_binary
from neuron_cluster.errors import ToolkitError

ROOT = Path(__file__).parents[3]


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data folder of a user who has installed nothing, and whose npm has an empty cache."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("NPM_CONFIG_CACHE", str(tmp_path / "npm"))
    return tmp_path / "data" / "neuron-cluster-toolkit"


def copied_from_the_checkout(folder: Path) -> None:
    shutil.copytree(ROOT / "node_modules" / "aws-cdk" / "bin", folder / "node_modules" / "aws-cdk" / "bin")


def test_a_folder_that_cannot_be_made_has_a_hint_with_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/dev/null")
    with pytest.raises(ToolkitError, match="nothing can be written in '/dev/null/") as caught:
        install_cdk(print)
    assert "XDG_DATA_HOME" in caught.value.hint


def test_the_folder_has_the_version_of_the_lockfile(data: Path) -> None:
    locked = json.loads((ROOT / "package-lock.json").read_text())["packages"]["node_modules/aws-cdk"]["version"]
    assert cdk_version() == locked
    assert cdk_folder() == data / f"cdk-{locked}"


def test_a_relative_data_folder_is_ignored(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "data")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cdk_folder().parent == tmp_path / ".local" / "share" / "neuron-cluster-toolkit"


def test_a_project_without_a_command_of_its_own_uses_that_of_the_user(data: Path, tmp_path: Path) -> None:
    with pytest.raises(ToolkitError, match="is not installed") as missing:
        cdk_script(tmp_path)
    assert "`neuron-cluster setup`" in missing.value.hint
    copied_from_the_checkout(cdk_folder())
    assert cdk_script(tmp_path).is_relative_to(data)
    assert cdk_script(ROOT).is_relative_to(ROOT)


def test_an_installed_command_is_left_as_it_is_and_gets_its_programs(data: Path) -> None:
    copied_from_the_checkout(cdk_folder())
    lines: list[str] = []
    for _ in range(2):
        installed = install_cdk(lines.append)
        assert (installed.is_new, installed.folder) == (False, cdk_folder())
        assert (installed.programs / "node").resolve() == node_binary().resolve()
        assert (installed.programs / "cdk").resolve() == cdk_script(data).resolve()
    assert lines == []
    (installed.programs / "node").unlink()
    (installed.programs / "node").symlink_to("/gone/with/the/old/python")
    assert (install_cdk(lines.append).programs / "node").resolve() == node_binary().resolve()


@pytest.mark.slow
@pytest.mark.exhaustive  # an interruption that leaves nothing, and a registry that does not answer, are below
def test_without_a_registry_nothing_is_left(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NPM_CONFIG_REGISTRY", "http://127.0.0.1:9")  # the discard port: nothing listens
    lines: list[str] = []
    with pytest.raises(ToolkitError, match=r"npm has not installed[^\0]*ECONNREFUSED") as failed:
        install_cdk(lines.append)
    assert "NPM_CONFIG_REGISTRY" in failed.value.hint
    assert str(cdk_folder()) in failed.value.hint
    assert [str(cdk_folder()) in line for line in lines] == [True]
    assert list(data.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_named(data: Path) -> None:
    data.parent.write_text("a file where the data folder would be")
    with pytest.raises(ToolkitError, match="neuron-cluster-toolkit"):
        install_cdk(print)


@pytest.fixture
def silent_registry() -> Iterator[str]:
    """A registry that accepts connections and never responds."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}"


@pytest.mark.slow
def test_ctrl_c_leaves_nothing(data: Path, silent_registry: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "neuron_cluster.cli.main", "setup"],
        cwd=ROOT, env={**os.environ, "NPM_CONFIG_REGISTRY": silent_registry}, stderr=subprocess.PIPE, text=True,
    ) as setup:  # fmt: skip
        assert setup.stderr is not None
        assert setup.stderr.readline().startswith("npm installs aws-cdk")
        setup.send_signal(signal.SIGINT)
        assert setup.wait(30) == 130
        assert "Traceback" not in setup.stderr.read()
    assert list(data.iterdir()) == []


@pytest.mark.slow
def test_a_damaged_folder_is_replaced_only_when_npm_succeeds(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NPM_CONFIG_REGISTRY", "http://127.0.0.1:9")
    cdk_folder().mkdir(parents=True)
    (cdk_folder() / "left").touch()
    with contextlib.suppress(ToolkitError):
        install_cdk(lambda _: None)
    assert [path.name for path in data.iterdir()] == [cdk_folder().name]
    assert (cdk_folder() / "left").exists()
