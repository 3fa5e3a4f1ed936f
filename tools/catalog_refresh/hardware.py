"""DescribeInstanceTypes against the rows of instance types."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from catalog_refresh.answer import Answer, Change
from catalog_refresh.data_file import flow_list
from neuron_cluster.aws.instance_types import DescribedType, described_types
from neuron_cluster.aws.session import Target
from neuron_cluster.catalog.instance_type import InstanceType, generation_of

MIB_IN_A_GIB = 1024
MODES = {"on-demand": "on_demand", "spot": "spot", "capacity-block": "capacity_block"}
"""Usage classes of EC2, in the order in which rows list them."""


@dataclass(frozen=True)
class Seen:
    """A type as some Region described it first."""

    described: DescribedType
    region: str


def refresh_hardware(targets: Mapping[str, Target], rows: Mapping[str, InstanceType], data: Path) -> Answer:
    """Numbers of each known type; types that are new, or launchable at last, as rows to add."""
    answer, seen = Answer(), dict[str, Seen]()
    for region, target in targets.items():
        for described in described_types(target, patterns(rows.values())):
            first = seen.setdefault(described.name, Seen(described, region))
            if first.described != described:
                answer.notes.append(f"{described.name} is described differently in {first.region} and {region}")
    for name, found in seen.items():
        row = rows.get(name)
        if row is None or not row.launchable:
            answer.rows_to_add.append(_new_row(found, row))
        else:
            answer.add(_compared(row, found.described, data))
    unseen = sorted(name for name, row in rows.items() if row.launchable and name not in seen)
    answer.notes += [f"{name}: no Region that was asked described it" for name in unseen]
    return answer


def patterns(rows: Iterable[InstanceType]) -> tuple[str, ...]:
    """Every Neuron type by the letters that such names begin with, also those to come; other types by name."""
    rows = [row for row in rows if row.status != "ultraserver"]
    neuron = {f"{re.split(r'[^a-z]', row.name)[0]}*" for row in rows if row.chip is not None}
    return (*sorted(neuron), *(row.name for row in rows if row.chip is None))


def _compared(row: InstanceType, described: DescribedType, data: Path) -> Answer:
    answer = Answer()
    for field, value in _fields(described).items():
        old = getattr(row, field)
        same = sorted(old) == sorted(value) if isinstance(value, tuple) else old == value
        if same:
            continue
        if value is None or (reason := row.doubt_about(field)) is not None:
            why = "the answer does not say it" if value is None else f"the row doubts it: {reason}"
            answer.notes.append(f"{row.name}: {field} stays {old}, EC2 says {value} ({why})")
        else:
            text = flow_list(value) if isinstance(value, tuple) else str(value)
            answer.changes.append(Change(file_in(data, row.name), row.name, field, text))
    return answer


def _fields(described: DescribedType) -> dict[str, int | tuple[str, ...] | None]:
    """Field of the catalog by its value in the answer."""
    neuron: dict[str, int | tuple[str, ...] | None] = {}
    if described.chip is not None:
        memory = described.device_memory_mib
        neuron = {
            "neuron_devices": described.neuron_devices,
            "neuron_cores": described.neuron_cores,
            "device_memory_gib": memory // MIB_IN_A_GIB if memory is not None else None,
        }
    return {
        "vcpus": described.vcpus,
        "memory_gib": described.memory_mib // MIB_IN_A_GIB,
        **neuron,
        "network_cards": described.network_cards,
        "interfaces_per_card": described.interfaces_per_card,
        "ipv4_per_interface": described.ipv4_per_interface,
        "efa_interfaces": described.efa_interfaces,
        "local_disk_count": described.local_disk_count,
        "local_storage_gb": described.local_storage_gb,
        "boot_modes": described.boot_modes,
        "purchase_modes": tuple(MODES[kind] for kind in MODES if kind in described.usage_classes),
    }


def _new_row(found: Seen, known: InstanceType | None) -> str:
    """The beginning of a row: everything that the answer says, in the order of the fields."""
    described = found.described
    generation = generation_of(described.name)
    head = f"# {f'{generation}.yaml' if generation else 'a new file'}: complete this row by hand"
    if known is not None:
        head += f"; it takes the place of the one with status: {known.status}"
    lines = [head, f"- name: {described.name}", f"  source: DescribeInstanceTypes in {found.region}"]
    lines += ["  status: available", "  launchable: true"]
    lines += [f"  chip: {described.chip.lower() if described.chip is not None else 'null'}"]
    for field, value in _fields(described).items():
        text = "null" if value is None else flow_list(value) if isinstance(value, tuple) else str(value)
        lines.append(f"  {field}: {text}")
    return "\n".join(lines)


def file_in(data: Path, name: str) -> Path:
    """The file of a type in the folder that is refreshed."""
    generation = generation_of(name)
    if not generation:
        raise LookupError(f"{name} begins like no instance type")
    return data / "instance_types" / f"{generation}.yaml"
