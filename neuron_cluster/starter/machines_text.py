"""Other instances in the text of a template: their keys, with comments that hold for them."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import structs

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.instance_type import InstanceType
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.starter.block_edit import Lines, node_at, with_keys, without_comment
from neuron_cluster.starter.machines import Machines
from neuron_cluster.starter.purchase_options import RESERVED
from neuron_cluster.upgrade.file_edit import FileEdit, edited_text, scalar_values

OF_A_TYPE = (
    *("ami_release", "fast_image_pull", "local_disks", "logical_nc_config", "network_topology", "placement"),
    *("pods_per_node", "root_volume"),
)
"""Keys of a node group whose value suits one instance type; their defaults suit each."""
RESERVATION_ID = "cr-0123456789abcdef0"
"""The reservation id of examples in the documentation of AWS."""
CAPACITY = {
    "spot": ("EC2 can interrupt an instance with a notice of two minutes.",),
    "reservation": ("The On-Demand Capacity Reservation that holds the instances: write its id.",),
    "capacity_block": ("The reservation that the Capacity Block came with: write its id. Each block has another one.",),
}
"""Comments above ``capacity``."""
WAITING = "No node before the reservation is active: nodes could not start. Then set desired to {count} and deploy."
OFFERS = "# A zone that offers the type."
ON_REQUEST = "Starts with no node. Set desired to the number that you need, later to 0, and deploy."


def with_machines(
    text: str, path: KeyPath, before: Machines, after: Machines, *, starts_empty: bool, catalog: Catalog
) -> str:
    """The text with ``after`` in the place of ``before``. ``starts_empty``: nodes are added when they are needed."""
    if after == before:
        return text
    row = catalog.instance_types.get(after.instance_type)
    has_other_type = after.instance_type != before.instance_type
    gets_efa = before.count == 1 < after.count and row is not None and bool(row.efa_interfaces)
    if after == structs.replace(before, count=after.count) and not gets_efa:
        return _with_count(text, path, after.count)
    has_other_network = has_other_type or gets_efa
    keys: dict[str, Lines] = {}
    if has_other_type:
        keys["instance_type"] = (f"instance_type: {after.instance_type}",)
    if path[0] != "workstations":
        has_desired = (*path, "count", "desired") in scalar_values(text)
        keys["count"] = _count(after, starts_empty=starts_empty) if has_desired else _count_for_jobs(after)
        keys |= _zone(text, path, after, row, has_other_network=has_other_network)
        if has_other_network:
            keys["efa"] = _efa(after, row)
    if after.purchase_option != before.purchase_option:
        keys["capacity"] = _capacity(after)
    if has_other_type and path[0] != "workstations":
        keys |= dict.fromkeys(OF_A_TYPE, ())
    if has_other_type:
        keys |= _root_volume(text, path, row)
    text = with_keys(text, path, keys)
    text = without_comment(text, node_at(text, path).start_mark.line)
    return _renamed(text, path, after) if has_other_type else text


def with_offering_zones(text: str, catalog: Catalog) -> str:
    """The text in which Neuron node groups in all zones are in one that offers the type, where not all of them do."""
    values = scalar_values(text)
    zones = [value for key, value in values.items() if key[:2] == ("network", "availability_zones")]
    for path in [key[:-1] for key in values if key[-1] == "instance_type" and (*key[:-1], "count", "max") in values]:
        row = catalog.instance_types.get(values[(*path, "instance_type")])
        offering = row.offered_zone_ids(values[("region",)]) if row is not None and row.neuron_devices else ()
        zone = next((each for each in zones if each in offering), None)
        if zone is not None and set(zones) - set(offering) and (*path, "availability_zone") not in values:
            text = with_keys(text, path, {"availability_zone": (OFFERS, f"availability_zone: {zone}")}, after="count")
    return text


def _with_count(text: str, path: KeyPath, count: int) -> str:
    """Comments about the nodes of the template still hold."""
    values = scalar_values(text)
    wanted = {"max": count, "desired": count if values.get((*path, "count", "desired"), "0") != "0" else 0}
    edits = [
        FileEdit(key, values[key], str(number), "of the devices")
        for name, number in wanted.items()
        if (key := (*path, "count", name)) in values
    ]
    return edited_text(text, edits)


def _count(after: Machines, *, starts_empty: bool) -> Lines:
    number = after.count
    if after.purchase_option in RESERVED:
        return (f"# {WAITING.format(count=number)}", f"count: {{min: 0, desired: 0, max: {number}}}")
    if starts_empty:
        return (f"# {ON_REQUEST}", f"count: {{min: 0, desired: 0, max: {number}}}")
    return (f"count: {{min: 0, desired: {number}, max: {number}}}",)


def _count_for_jobs(after: Machines) -> Lines:
    """Returns the count of a group whose cluster starts instances for jobs: it has no desired number."""
    return (f"count: {{min: 0, max: {after.count}}}",)


def _zone(
    text: str, path: KeyPath, after: Machines, row: InstanceType | None, *, has_other_network: bool
) -> dict[str, Lines]:
    """One zone for instances with EFA, those of a reservation, and types that not all zones offer."""
    values = scalar_values(text)
    zones = [value for key, value in values.items() if key[:2] == ("network", "availability_zones")]
    offering = row.zone_ids.get(values[("region",)], ()) if row is not None else ()
    zone = values.get((*path, "availability_zone")) or next((each for each in zones if each in offering), zones[0])
    if after.purchase_option in RESERVED:
        return {"availability_zone": ("# The zone of the reservation: write its id.", f"availability_zone: {zone}")}
    if not has_other_network:
        return {}
    if row is not None and row.efa_interfaces and after.count > 1:
        return {"availability_zone": ("# One zone: EFA does not cross zones.", f"availability_zone: {zone}")}
    if ("storage", "lustre", "availability_zone") in values and (*path, "availability_zone") in values:
        return {"availability_zone": ("# In the zone of the Lustre file system.", f"availability_zone: {zone}")}
    if set(zones) - set(offering):
        return {"availability_zone": (OFFERS, f"availability_zone: {zone}")}
    return {"availability_zone": ()}


def _efa(after: Machines, row: InstanceType | None) -> Lines:
    if row is None or not row.efa_interfaces:
        return ()
    return ("efa: efa",) if after.count > 1 else ("# One instance needs no EFA.", 'efa: "off"')


def _root_volume(text: str, path: KeyPath, row: InstanceType | None) -> dict[str, Lines]:
    """The volume of the template, as large as the type needs it, where images are not on disks of the instance."""
    values = scalar_values(text)
    given = {key[-1]: int(value) for key, value in values.items() if key[:-1] == (*path, "root_volume")}
    if row is None or not given or (row.local_disk_count and path[0] != "workstations"):
        return {}
    given["size_gib"] = max(given.get("size_gib", 0), row.root_volume_minimum_gib or 0)
    written = ", ".join(f"{key}: {value}" for key, value in given.items() if value)
    return {"root_volume": (f"root_volume: {{{written}}}",)}


def _capacity(after: Machines) -> Lines:
    kind = after.purchase_option
    if kind not in CAPACITY:
        return ()
    reservation = (f"  reservation_id: {RESERVATION_ID}",) if kind in RESERVED else ()
    return (*(f"# {line}" for line in CAPACITY[kind]), "capacity:", f"  kind: {kind}", *reservation)


def _renamed(text: str, path: KeyPath, after: Machines) -> str:
    """A node group has the name of the family of its type, where no other one has it."""
    values = scalar_values(text)
    old, new = values[(*path, "name")], after.instance_type.partition(".")[0]
    names = [value for key, value in values.items() if key[:-2] == path[:-1] and key[-1] == "name"]
    if path[0] == "workstations" or new in names:
        return text
    return edited_text(text, _renames(path, old, new, values))


def _renames(path: KeyPath, old: str, new: str, values: dict[KeyPath, str]) -> Iterator[FileEdit]:
    for key, value in values.items():
        if value == old and (key == (*path, "name") or key[-1] == "node_group"):
            yield FileEdit(key, old, new, "named by its type")
