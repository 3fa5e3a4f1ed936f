"""The container image of a framework for a Neuron chip."""

from __future__ import annotations

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.chip import Chip
from neuron_cluster.catalog.container import Container
from neuron_cluster.catalog.version import version_key


def newest_container(framework: str, chip: Chip | None, sdk: str, catalog: Catalog) -> Container | None:
    """Returns the container of the framework for this chip (None: any), of the SDK release or the last one before."""
    fitting = [
        row
        for row in catalog.containers
        if row.framework == framework
        and (chip is None or set(row.families) & set(chip.families))
        and version_key(row.neuron_sdk) <= version_key(sdk)
    ]
    return max(fitting, key=lambda row: (version_key(row.neuron_sdk), version_key(row.framework_version)), default=None)
