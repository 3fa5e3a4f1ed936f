"""Names of a request that the catalog must have."""

from __future__ import annotations

from collections.abc import Sequence

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.hyperpod_type import PREFIX, HyperPodInstanceType
from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.text import listed


def require_weight_format(name: str | None, catalog: Catalog) -> None:
    """Raises ``ToolkitError`` for one that the catalog does not have."""
    _require_format("--dtype", name, list(catalog.weight_formats.names))


def require_cache_format(name: str, catalog: Catalog) -> None:
    """Raises ``ToolkitError`` for one that the KV cache cannot have."""
    known = [row.name for row in catalog.weight_formats if row.is_cache_format]
    _require_format("--kv-dtype", name, known)


def _require_format(option: str, name: str | None, known: Sequence[str]) -> None:
    if name is not None and name not in known:
        raise ToolkitError(f"{option}: the catalog has no such format: {name}", hint=f"known are {listed(known)}")


def require_types(names: Sequence[str], catalog: Catalog) -> None:
    """Raises ``ToolkitError`` for the first that has no Neuron devices, or is not known."""
    for name in names:
        row = catalog.instance_types.get(name)
        if row is None:
            near = ", ".join(catalog.instance_types.similar(name))
            raise ToolkitError(
                f"--instance-type: the catalog has no {name}",
                hint=f"similar: {near}" if near else "`neuron-cluster catalog instances` lists them",
            )
        if isinstance(row, HyperPodInstanceType):
            raise ToolkitError(
                f"--instance-type: {name} is a name of SageMaker, and types of EC2 are compared",
                hint=f"--instance-type {name.removeprefix(PREFIX)} has the same hardware",
            )
        chip = catalog.chips.get(row.chip) if row.chip is not None else None
        if chip is None or not row.neuron_cores:
            raise ToolkitError(
                f"--instance-type: the catalog has no Neuron cores of {name}",
                hint="name a type of Trainium or Inferentia",
            )
        if chip.last_sdk is not None:
            raise ToolkitError(
                f"--instance-type: {name} has {chip.title}, which Neuron SDK {chip.last_sdk} was the last to support",
                hint=f"name a type of {chip.successor}",
            )


def require_region(name: str | None, catalog: Catalog) -> None:
    """Raises ``ToolkitError`` for one that the catalog does not have."""
    if name is not None and catalog.regions.get(name) is None:
        near = ", ".join(catalog.regions.similar(name))
        raise ToolkitError(
            f"--region: the catalog has no {name}",
            hint=f"similar: {near}" if near else "`neuron-cluster catalog regions` lists them",
        )
