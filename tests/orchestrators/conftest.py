"""The provider of these tests, registered for each of them, and the command run with it."""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from neuron_cluster.cli.main import main
from neuron_cluster.protocol.registry import register, unregister
from tests.orchestrators.auto_scaling.provider import AUTO_SCALING, AutoScalingProvider

ROOT = Path(__file__).parents[2]
ENVIRONMENT = Path(__file__).parent / "auto_scaling" / "scale-trn1.yaml"


class Ran(NamedTuple):
    status: int
    out: str

    @property
    def document(self) -> Any:
        return json.loads(self.out)


@contextlib.contextmanager
def registered_for_test() -> Iterator[AutoScalingProvider]:
    """Registered within the block alone."""
    register(AUTO_SCALING)
    try:
        yield AUTO_SCALING
    finally:
        unregister(AUTO_SCALING)


@pytest.fixture(autouse=True)
def auto_scaling() -> Iterator[AutoScalingProvider]:
    with registered_for_test() as provider:
        yield provider


@pytest.fixture
def environment(tmp_path: Path) -> Path:
    """The environment file, to be edited."""
    folder = tmp_path / "environments"
    folder.mkdir()
    return Path(shutil.copy(ENVIRONMENT, folder))


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Runs the command in this process."""

    def run(*arguments: object) -> Ran:
        status = main([str(each) for each in arguments])
        return Ran(status, capsys.readouterr().out)

    return run
