"""Hosts whose packages are not the user's own."""

from __future__ import annotations

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.pinned_toolkit.public_indexes import is_public

CATALOG = load_catalog()


def test_no_host_is_below_another_one() -> None:
    hosts = list(CATALOG.public_indexes.names)
    assert [host for host in hosts if any(host.endswith(f".{other}") for other in hosts)] == []
    assert [host for host in hosts if host != host.lower().strip(".")] == []


@pytest.mark.parametrize("host", ["test.pypi.org", "files.pythonhosted.org", "pypi.mirrors.ustc.edu.cn"])
def test_a_host_below_a_public_one_is_public(host: str) -> None:
    assert is_public(f"https://{host}/simple", CATALOG)


@pytest.mark.parametrize(
    "place",
    [
        "https://org-111122223333.d.codeartifact.us-west-2.amazonaws.com/pypi/own/simple/",
        "https://us-python.pkg.dev/project/own/simple",
        "https://mypypi.org/simple",
        "file:///opt/pypi.org/simple",
        "/opt/pypi.org",
        "https://..pypi/simple",
    ],
)
def test_other_places_are_of_the_user(place: str) -> None:
    assert not is_public(place, CATALOG)
