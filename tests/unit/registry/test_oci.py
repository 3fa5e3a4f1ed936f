"""Digests over the distribution API, asked of a real HTTP server."""

from __future__ import annotations

import json

import pytest

from neuron_cluster.registry.oci import manifest_digest
from neuron_cluster.registry.web import RegistryError

from .conftest import DIGEST, TOKEN, Registry


def image(registry: Registry, tag: str = "1.0_x") -> str:
    return f"{registry.host}/team/image:{tag}"


def test_an_open_registry_tells_the_digest_of_the_list_of_manifests(registry: Registry) -> None:
    assert manifest_digest(image(registry)) == DIGEST
    registry.claimed_digest = None
    assert manifest_digest(image(registry)) == DIGEST


def test_a_challenge_is_answered_with_an_anonymous_token(registry: Registry) -> None:
    registry.needs_token = True
    assert manifest_digest(image(registry)) == DIGEST
    first, token, second = registry.asked
    assert first[1] is None
    assert token == ("/token?service=registry&scope=repository%3Ateam%2Fimage%3Apull", None)
    assert second == (first[0], f"Bearer {TOKEN}")


def test_a_token_may_have_its_older_name(registry: Registry) -> None:
    registry.needs_token = True
    registry.token_answer = json.dumps({"access_token": TOKEN}).encode()
    assert manifest_digest(image(registry)) == DIGEST


def test_a_redirect_is_followed_and_the_token_is_not_taken_along(registry: Registry, store: Registry) -> None:
    registry.needs_token, registry.redirect = True, store.url
    assert manifest_digest(image(registry)) == DIGEST
    assert store.asked == [("/v2/team/image/manifests/1.0_x", None)]


def test_a_sign_in_of_the_callers_is_sent_at_once_and_a_refusal_of_it_is_final(registry: Registry) -> None:
    assert manifest_digest(image(registry), authorization="Basic QVdTOng=") == DIGEST
    assert registry.asked[0][1] == "Basic QVdTOng="
    registry.needs_token = True
    with pytest.raises(RegistryError, match="returned 401"):
        manifest_digest(image(registry), authorization="Basic QVdTOng=")


REFUSED = {
    "a sign-in of another kind": ({"challenge": 'Basic realm="x"'}, "does not support"),
    "a token server in the clear": ({"challenge": 'Bearer realm="http://10.0.0.1/token"'}, "does not support"),
    "a challenge without realm": ({"challenge": "Bearer"}, "does not support"),
    "a token that is no JSON": ({"token_answer": b"<html>"}, "no token"),
    "no token in the answer": ({"token_answer": b'["a"]'}, "no token"),
    "a token with a line end": ({"token_answer": b'{"token": "a\\r\\nX: y"}'}, "no token"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_answered_is_a_sentence(name: str, registry: Registry) -> None:
    settings, says = REFUSED[name]
    registry.needs_token = True
    for key, value in settings.items():
        setattr(registry, key, value)
    with pytest.raises(RegistryError, match=says) as raised:
        manifest_digest(image(registry))
    assert not raised.value.is_unreachable


def test_an_unknown_tag_says_so(registry: Registry) -> None:
    with pytest.raises(RegistryError, match=r"returned 404 for team/image:9\.9"):
        manifest_digest(image(registry, "9.9"))


def test_a_digest_that_is_not_that_of_the_bytes_is_not_believed(registry: Registry) -> None:
    registry.claimed_digest = f"sha256:{'0' * 64}"
    with pytest.raises(RegistryError, match="its manifest has"):
        manifest_digest(image(registry))


@pytest.mark.parametrize("reference", ["image", "host/image", "host/:1.0", ""])
def test_what_is_no_reference_is_not_asked(reference: str) -> None:
    with pytest.raises(RegistryError, match="not HOST/NAME:TAG"):
        manifest_digest(reference)


def test_a_redirect_does_not_take_a_sign_in_of_the_callers_along(registry: Registry, store: Registry) -> None:
    registry.redirect = store.url
    assert manifest_digest(image(registry), authorization="Basic QVdTOng=") == DIGEST
    assert [header for _, header in store.asked] == [None]
