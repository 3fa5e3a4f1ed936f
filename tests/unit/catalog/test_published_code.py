"""What may be run is what the installed packages hold."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from neuron_cluster.catalog.published_code import published_code

sys.path.insert(0, str(Path(__file__).parents[3] / "tools"))  # for the file's writer


@pytest.mark.slow
def test_the_digests_are_those_of_the_installed_packages() -> None:
    """Where this fails after an upgrade: run tools/write_published_code.py, and look at what has changed."""
    from write_published_code import installed_code

    known = {row.name: (row.package_version, dict(row.files)) for row in published_code().values()}
    assert known == {name: (version, files) for name, version, files in installed_code()}
