"""Entries of ``teams[].images``: each names its registry, and ends as a folder, a repository or a reference."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from neuron_cluster.config.team import Team

DIGEST = f"sha256:{'a' * 64}"


def images_of(*entries: str) -> list[str] | None:
    return Team.model_validate({"name": "a", "members": [], "namespaces": [{"name": "a"}], "images": entries}).images


@pytest.mark.parametrize(
    "entry",
    [
        "example.com/",
        "example.com/team/",
        "example.com/team/app",
        "example.com/team/app__v2.x--y",
        "example.com:443/app:v1",
        "registry:5000/team/app",
        f"example.com/app@{DIGEST}",
        f"example.com/app:v1@{DIGEST}",
        "docker.io/library/busybox",
    ],
)
def test_an_entry_with_a_registry(entry: str) -> None:
    assert images_of(entry) == [entry]


@pytest.mark.parametrize(
    "entry",
    [
        "",
        "busybox",
        "library/busybox",
        "busybox:1.36",
        "example.com",
        "example.com:443",
        "localhost/app",
        "https://example.com/app",
        "oci://example.com/app",
        "example.com//app",
        "example.com/team/../app",
        "example.com/team/*",
        "example.com/App",
        "Example.com/app",
        "example.com/app:",
        "example.com/app@",
        "example.com/app@sha256:abc",
        "example.com/app:v1/",
        "example.com/app ",
        'example.com/app"',
        "example.com/app\n",
        "example.com/" + "a" * 512,
    ],
)
def test_another_entry_is_an_error(entry: str) -> None:
    with pytest.raises(ValidationError):
        images_of(entry)


def test_a_list_that_allows_nothing_is_an_error() -> None:
    with pytest.raises(ValidationError):
        images_of()
