"""Charts and images of any kind of registry; one that is silent is asked once."""

from __future__ import annotations

import socket

import pytest

from neuron_cluster.errors import ToolkitError
from neuron_cluster.registry.registries import Registries
from neuron_cluster.registry.web import RegistryError

from .conftest import DIGEST, Registry

INDEX = f"""
apiVersion: v1
entries:
  efa:
    - {{version: v0.5.29, digest: {"0" * 64}}}
    - {{version: v0.5.30, digest: {"a" * 64}}}
  odd: [{{version: 1}}, word]
"""


def never() -> str:
    raise AssertionError("no sign-in is needed here")


def test_an_oci_chart_is_an_image_whose_tag_has_no_plus_sign(registry: Registry) -> None:
    registry.needs_token = True
    assert Registries(never).chart_digest(f"oci://{registry.host}/team/image", "image", "1.0+x") == DIGEST


def test_a_chart_repository_tells_the_digest_of_the_archive(registry: Registry) -> None:
    registry.index = INDEX.encode()
    assert Registries(never).chart_digest(f"{registry.url}/", "efa", "v0.5.30") == f"sha256:{'a' * 64}"
    assert [path for path, _ in registry.asked] == ["/index.yaml"]


@pytest.mark.parametrize(
    ("index", "says"),
    [(INDEX, "tells no digest of odd 1"), ("a: [", "is not YAML"), ("word", "tells no digest"), ("", "answers 404")],
)
def test_an_index_without_the_chart_says_so(index: str, says: str, registry: Registry) -> None:
    registry.index = index.encode()
    with pytest.raises(RegistryError, match=says):
        Registries(never).chart_digest(registry.url, "odd", "1")


def test_a_silent_registry_is_asked_once() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    registries = Registries(never)
    with pytest.raises(RegistryError, match="does not answer") as first:
        registries.image_digest(f"127.0.0.1:{port}/a:1")
    with pytest.raises(RegistryError) as second:
        registries.image_digest(f"127.0.0.1:{port}/b:1")
    assert second.value is first.value


def test_an_unknown_tag_does_not_make_its_registry_silent(registry: Registry) -> None:
    registries = Registries(never)
    with pytest.raises(RegistryError):
        registries.image_digest(f"{registry.host}/team/image:9")
    assert registries.image_digest(f"{registry.host}/team/image:1.0_x") == DIGEST


def test_aws_own_registries_are_asked_with_its_sign_in() -> None:
    def refused() -> str:
        raise ToolkitError("access denied: GetAuthorizationToken")

    with pytest.raises(ToolkitError, match="GetAuthorizationToken"):
        Registries(refused).image_digest("602401143452.dkr.ecr.us-west-2.amazonaws.com/eks/a:1")
