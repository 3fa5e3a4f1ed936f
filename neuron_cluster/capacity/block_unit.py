"""The unit of a capacity block: instances of a type, or UltraServers."""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.instance_type import InstanceType
from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.suggestions import did_you_mean, suggestions

INSTANCE_BLOCK, ULTRASERVER_BLOCK = "capacity_block", "ultraserver_block"
"""The catalog's names of the units."""


class BlockUnit(Struct, frozen=True):
    """One instance, or one UltraServer."""

    name: str
    """EC2's name of the instance type, or of the UltraServer type."""
    instance_type: str
    instances: int
    """In one unit."""
    chips: int | None
    """In one unit; None when the catalog does not contain it."""
    regions: tuple[str, ...]
    """Regions in which the catalog has the instance type."""
    doubt: str | None
    """Why the unit is in doubt; None where it is certain."""

    @property
    def is_ultraserver(self) -> bool:
        return self.name != self.instance_type


def instance_unit(name: str, catalog: Catalog) -> BlockUnit:
    """Raises ``ToolkitError`` for an unknown type, or one without capacity blocks of instances in the catalog."""
    row = catalog.instance_types.get(name)
    if row is None:
        raise _unknown_type(name, catalog)
    if INSTANCE_BLOCK not in (row.purchase_modes or ()):
        raise _not_sold(row, catalog)
    return BlockUnit(name, name, 1, row.neuron_devices, tuple(row.zone_ids), row.doubt_about("purchase_modes"))


def ultraserver_unit(name: str, catalog: Catalog) -> BlockUnit:
    """Raises ``ToolkitError`` for an unknown UltraServer type."""
    rows = {
        sold_as: (row, row.ultraserver)
        for row in catalog.instance_types
        if (sold_as := _sold_as(row)) is not None and row.ultraserver is not None
    }
    if name not in rows:
        by_instance_type = [unit for unit, (row, _) in rows.items() if row.name == name]
        near = did_you_mean(by_instance_type or suggestions(name, rows))
        raise ToolkitError(
            f"{name!r} is not a valid UltraServer type for capacity blocks", hint=f"{near}known: {', '.join(rows)}"
        )
    row, ultraserver = rows[name]
    doubt = row.doubt_about("purchase_modes")
    return BlockUnit(name, row.name, ultraserver.instances, ultraserver.chips, tuple(row.zone_ids), doubt)


def unit_of_type(name: str, catalog: Catalog) -> BlockUnit:
    """The unit of capacity blocks for this type: its UltraServer where blocks have no smaller unit.

    Raises ``ToolkitError`` as ``instance_unit`` does.
    """
    row = catalog.instance_types.get(name)
    sold_as = _sold_as(row) if row is not None and INSTANCE_BLOCK not in (row.purchase_modes or ()) else None
    return ultraserver_unit(sold_as, catalog) if sold_as is not None else instance_unit(name, catalog)


def _sold_as(row: InstanceType) -> str | None:
    """EC2's name of the UltraServer of a type; None for a type without capacity blocks of UltraServers."""
    if row.ultraserver is None or ULTRASERVER_BLOCK not in (row.purchase_modes or ()):
        return None
    return row.ultraserver.capacity_type


def _unknown_type(name: str, catalog: Catalog) -> ToolkitError:
    if name in map(_sold_as, catalog.instance_types):
        return ToolkitError(f"{name} is an UltraServer type, not an instance type", hint=f"use --ultraserver {name}")
    hint = f"{did_you_mean(catalog.instance_types.similar(name))}`neuron-cluster catalog instances` lists them"
    return ToolkitError(f"{name!r} is not an instance type of the catalog", hint=hint)


def _not_sold(row: InstanceType, catalog: Catalog) -> ToolkitError:
    """The purchase options that the catalog has instead, and their doubt."""
    doubt = row.doubt_about("purchase_modes")
    in_doubt = f". In doubt: {doubt}" if doubt else ""
    sold_as = _sold_as(row)
    if sold_as is not None:
        message = f"capacity blocks of {row.name} contain UltraServers, not instances{in_doubt}"
        return ToolkitError(message, hint=f"use --ultraserver {sold_as}")
    sold = [each.name for each in catalog.instance_types if INSTANCE_BLOCK in (each.purchase_modes or ())]
    where = f"`neuron-cluster catalog instances {row.name}` shows the source; capacity blocks have {', '.join(sold)}"
    if row.purchase_modes is None:
        return ToolkitError(f"purchase options of {row.name} are unknown. {row.launch_note or ''}".rstrip(), hint=where)
    modes = " and ".join(row.purchase_modes) or "nothing"
    message = f"the catalog has no capacity blocks of {row.name}: on {row.checked_on} the catalog has {modes}{in_doubt}"
    return ToolkitError(message, hint=where)
