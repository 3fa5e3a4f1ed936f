"""To which addresses a registry may send the machine of an operator."""

from __future__ import annotations

import pytest

from neuron_cluster.registry.named_address import reason_against
from neuron_cluster.registry.web import RegistryError, get

from .conftest import Registry

PUBLIC, PRIVATE, HERE = "8.8.8.8", "10.0.0.5", "127.0.0.1"


@pytest.mark.parametrize(
    ("url", "registry", "text"),
    [
        ("http://8.8.4.4/token", PUBLIC, "http is not https"),
        ("ftp://8.8.4.4/", PUBLIC, "ftp is not https"),
        ("file:///etc/passwd", PUBLIC, "file is not https"),
        ("http://127.0.0.1/", PUBLIC, "http is not https"),
        ("https://169.254.169.254/latest/meta-data/", PUBLIC, "link-local"),
        ("https://169.254.169.254/", PRIVATE, "link-local"),
        ("https://[fe80::1%25eth0]/", PUBLIC, "link-local"),
        ("https://[::ffff:169.254.169.254]/", PUBLIC, "link-local"),
        ("https://2852039166/", PUBLIC, "link-local"),
        ("https://127.0.0.1:8443/", PUBLIC, "is not a public address"),
        ("https://user@localhost/", PUBLIC, "is not a public address"),
        ("https://10.0.0.7/", PUBLIC, "is not a public address"),
        ("https://100.64.0.1/", PUBLIC, "is not a public address"),
        ("https://[fd00:ec2::254]/", PUBLIC, "is not a public address"),
    ],
)
def test_another_address_is_refused_with_a_reason(url: str, registry: str, text: str) -> None:
    assert text in reason_against(url, registry)


@pytest.mark.parametrize(
    ("url", "registry"),
    [
        ("https://8.8.4.4/", PUBLIC),
        ("https://10.0.0.7/", PRIVATE),
        ("https://8.8.4.4/", PRIVATE),
        ("http://127.0.0.1:5000/token", HERE),
        ("https://does-not-exist.invalid/", PUBLIC),
    ],
)
def test_https_and_what_is_as_near_as_the_registry_is_accepted(url: str, registry: str) -> None:
    assert reason_against(url, registry) == ""


def test_a_proxy_looks_up_names_and_addresses_are_compared_all_the_same() -> None:
    assert reason_against("https://localhost/", PUBLIC, resolves=False) == ""
    assert "link-local" in reason_against("https://169.254.169.254/", PUBLIC, resolves=False)


def test_no_request_is_sent_to_the_target_of_such_a_redirect(registry: Registry) -> None:
    registry.redirect = "https://169.254.169.254"
    with pytest.raises(RegistryError, match="names an address to which no request is sent: 169"):
        get(f"{registry.url}/v2/", accept="*/*", max_bytes=10)
    assert len(registry.asked) == 1
