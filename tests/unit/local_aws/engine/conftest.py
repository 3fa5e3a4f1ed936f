"""The engine with a service that is a dictionary."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from tests.unit.local_aws.engine.harness import Cloud, RemoteState, new_cloud, resource


@pytest.fixture
def remote() -> RemoteState:
    return RemoteState()


@pytest.fixture
def cloud(remote: RemoteState) -> Iterator[Cloud]:
    made = new_cloud(remote)
    yield made
    made.engine.close()


@pytest.fixture(name="resource")
def resource_fixture():
    return resource


@pytest.fixture
def template():
    """A template of the given resources."""

    def make(outputs: Mapping[str, Any] | None = None, /, **resources: Any) -> dict[str, Any]:
        return {"Resources": resources, **({"Outputs": outputs} if outputs else {})}

    return make
