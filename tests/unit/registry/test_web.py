"""One request: bounded, through the proxy of the environment, and never in a circle."""

from __future__ import annotations

import socket
import threading
import urllib.parse

import pytest

from neuron_cluster.registry.web import MAX_REDIRECTS, RegistryError, get

from .conftest import Registry


def test_an_answer_that_is_too_long_is_not_read_to_its_end(registry: Registry) -> None:
    registry.index = b"a" * (2**20 + 1)
    with pytest.raises(RegistryError, match="more than 1 MiB") as raised:
        get(f"{registry.url}/index.yaml", accept="*/*", max_bytes=2**20)
    assert not raised.value.is_unreachable


def test_redirects_in_a_circle_end(registry: Registry) -> None:
    registry.redirect = registry.url
    with pytest.raises(RegistryError, match="redirects more than"):
        get(f"{registry.url}/v2/", accept="*/*", max_bytes=10)
    assert len(registry.asked) == MAX_REDIRECTS


def test_an_answer_that_breaks_off_is_no_answer() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def answer() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.recv(4096)
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort")

        thread = threading.Thread(target=answer)
        thread.start()
        with pytest.raises(RegistryError, match="was interrupted") as raised:
            get(f"http://127.0.0.1:{listener.getsockname()[1]}/", accept="*/*", max_bytes=1000)
        thread.join()
    assert raised.value.is_unreachable


def test_a_proxy_of_the_environment_is_used_and_not_for_this_machine(
    registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The proxy is the small registry: it is asked for the whole URL."""
    registry.index = b"a"
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("http_proxy", registry.url)
    answer = get("http://charts.example/index.yaml", accept="*/*", max_bytes=10)
    assert (answer.status, answer.body) == (200, b"a")
    assert registry.asked == [("http://charts.example/index.yaml", None)]
    monkeypatch.setenv("no_proxy", "charts.example")
    with pytest.raises(RegistryError, match="does not respond"):
        get("http://charts.example/index.yaml", accept="*/*", max_bytes=10)
    port = urllib.parse.urlsplit(registry.url).port
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    assert get(f"http://127.0.0.1:{port}/index.yaml", accept="*/*", max_bytes=10).status == 200
