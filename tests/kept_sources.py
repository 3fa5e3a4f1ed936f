"""A search for the sources of a synthesis that looks once through the checkout."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from neuron_cluster.deploy import assembly_key

CHECKOUT = Path(__file__).parents[1]
SHARED = ("stacks", "charts", "functions")
"""Folders of the checkout that every project has."""


@pytest.fixture(scope="session")
def kept_sources() -> Iterator[None]:
    """The folders of the checkout, which no test changes, are searched for sources once: 20 ms in each deploy."""
    search = assembly_key._below
    folders = {*(CHECKOUT / name for name in SHARED), *assembly_key.PACKAGES}

    @functools.cache
    def kept(path: Path, name: str) -> tuple[assembly_key.Source, ...]:
        return tuple(search(path, name))

    def sources(path: Path, name: str) -> Iterable[assembly_key.Source]:
        return kept(path, name) if path.resolve() in folders else search(path, name)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assembly_key, "_below", sources)
        yield
