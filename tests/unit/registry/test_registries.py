"""Charts and images of any kind of registry; one that is silent is asked once."""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping

import pytest
import urllib3

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.errors import ToolkitError
from neuron_cluster.plan.needed_software import trusted_registries
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


OWN = "111122223333"
HEADER = "Basic QVdTOnRva2Vu"


def registries_of(authorization: Callable[[], str]) -> Registries:
    catalog = load_catalog()
    return Registries(authorization, trusted_registries(OWN, catalog), {region.name for region in catalog.regions})


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str | None]]:
    """URL and Authorization header of every request, in place of the network."""
    requests: list[tuple[str, str | None]] = []

    def record(_: urllib3.PoolManager, method: str, url: str, *, headers: Mapping[str, str], **__: object) -> None:
        assert method == "GET"
        requests.append((url, headers.get("Authorization")))
        raise urllib3.exceptions.HTTPError("no network in this test")

    monkeypatch.setattr(urllib3.PoolManager, "urlopen", record)
    return requests


def never() -> str:
    raise AssertionError("no sign-in is needed here")


def test_an_oci_chart_is_an_image_whose_tag_has_no_plus_sign(registry: Registry) -> None:
    registry.needs_token = True
    assert registries_of(never).chart_digest(f"oci://{registry.host}/team/image", "image", "1.0+x") == DIGEST


def test_a_chart_repository_tells_the_digest_of_the_archive(registry: Registry) -> None:
    registry.index = INDEX.encode()
    assert registries_of(never).chart_digest(f"{registry.url}/", "efa", "v0.5.30") == f"sha256:{'a' * 64}"
    assert [path for path, _ in registry.asked] == ["/index.yaml"]


@pytest.mark.parametrize(
    ("index", "says"),
    [(INDEX, "has no digest for odd 1"), ("a: [", "is not YAML"), ("word", "has no digest"), ("", "returned 404")],
)
def test_an_index_without_the_chart_says_so(index: str, says: str, registry: Registry) -> None:
    registry.index = index.encode()
    with pytest.raises(RegistryError, match=says):
        registries_of(never).chart_digest(registry.url, "odd", "1")


def test_a_silent_registry_is_asked_once() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    registries = registries_of(never)
    with pytest.raises(RegistryError, match="does not respond") as first:
        registries.image_digest(f"127.0.0.1:{port}/a:1")
    with pytest.raises(RegistryError) as second:
        registries.image_digest(f"127.0.0.1:{port}/b:1")
    assert second.value is first.value


def test_an_unknown_tag_does_not_make_its_registry_silent(registry: Registry) -> None:
    registries = registries_of(never)
    with pytest.raises(RegistryError):
        registries.image_digest(f"{registry.host}/team/image:9")
    assert registries.image_digest(f"{registry.host}/team/image:1.0_x") == DIGEST


def test_aws_own_registries_are_asked_with_its_sign_in() -> None:
    def refused() -> str:
        raise ToolkitError("access denied: GetAuthorizationToken")

    with pytest.raises(ToolkitError, match="GetAuthorizationToken"):
        registries_of(refused).image_digest("602401143452.dkr.ecr.us-west-2.amazonaws.com/eks/a:1")


@pytest.mark.parametrize(
    "host",
    [
        f"{OWN}.dkr.ecr.us-west-2.evil.example",
        f"{OWN}.dkr.ecr.us-west-2.amazonaws.com.evil.example",
        f"{OWN}.dkr.ecr.us-west-2.amazonaws.com:444",
        f"{OWN}.dkr.ecr.us-west-2.amazonaws.com@evil.example",
        f"{OWN}.dkr.ecr.us-west-9.amazonaws.com",
        f"{OWN}.dkr.ecr.us-west-2.amazonaws.com.cn",
        f"evil.dkr.ecr.{OWN}.dkr.ecr.us-west-2.amazonaws.com",
        f"x{OWN}.dkr.ecr.us-west-2.amazonaws.com",
    ],
)
def test_a_host_that_only_resembles_ecr_gets_no_token(host: str, sent: list[tuple[str, str | None]]) -> None:
    with pytest.raises(RegistryError):
        registries_of(lambda: HEADER).image_digest(f"{host}/jobset/jobset:v1")
    assert [header for _, header in sent] == [None]


def test_the_ecr_registry_of_a_third_account_is_not_contacted(sent: list[tuple[str, str | None]]) -> None:
    with pytest.raises(RegistryError, match="registries of the environment's account, of EKS and of SageMaker"):
        registries_of(lambda: HEADER).image_digest("999999999999.dkr.ecr.us-west-2.amazonaws.com/a:1")
    assert sent == []


@pytest.mark.parametrize(
    "host",
    [
        f"{OWN}.dkr.ecr.us-west-2.amazonaws.com",
        "602401143452.dkr.ecr.us-east-2.amazonaws.com",
        "851725546812.dkr.ecr.us-east-2.amazonaws.com",
    ],
)
def test_registries_of_the_account_and_of_aws_get_the_token_over_https(
    host: str, sent: list[tuple[str, str | None]]
) -> None:
    with pytest.raises(RegistryError):
        registries_of(lambda: HEADER).image_digest(f"{host}/a:1")
    assert sent == [(f"https://{host}/v2/a/manifests/1", HEADER)]
