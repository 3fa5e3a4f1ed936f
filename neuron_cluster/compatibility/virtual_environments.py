"""The virtual environments of Deep Learning AMIs: their frameworks, and where these run."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.dlami import Dlami
    from neuron_cluster.catalog.framework import Framework


def frameworks_in(name: str, dlami: Dlami, catalog: Catalog) -> list[Framework]:
    """The frameworks in a virtual environment."""
    return [each for each in catalog.frameworks if each.virtual_environments.get(dlami.name) == name]


def knows_none(name: str, dlami: Dlami, chip: str, catalog: Catalog) -> bool:
    """Whether no framework in the virtual environment runs on the chip generation, without doubt."""
    held = frameworks_in(name, dlami, catalog)
    return bool(held) and all(
        each.support_on(chip, dlami.neuron_sdk) is None and each.doubt_about("support") is None for each in held
    )


def has_for(name: str, dlami: Dlami, chip: str | None, catalog: Catalog) -> bool:
    """Whether the image has the virtual environment, and a framework in it may run on the chip generation."""
    return name in dlami.virtual_environments and (chip is None or not knows_none(name, dlami, chip, catalog))
