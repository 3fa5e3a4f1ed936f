"""Generic resources (GRES) of a compute node group: what its nodes request and the records of gres.conf."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from neuron_cluster.template_rules.pcs.slurm_settings import slurm_settings
from neuron_cluster.template_rules.property_tree import at, is_unknown, items, text
from neuron_cluster.template_rules.template_resource import TemplateResource

RECORDS = "SlurmConfiguration.GresCustomSettings"
GPU = "gpu"
RANGE = re.compile(r"\[(\d+)-(\d+)\]$")


class RequestedGres(Struct, frozen=True):
    """An item of the setting ``Gres``: ``gpu:trainium:16``."""

    path: str
    name: str
    type: str
    """Empty where the item has none."""
    count: int


class GresRecord(Struct, frozen=True):
    """A record of gres.conf. What is unknown before the deploy is None."""

    path: str
    properties: Any

    @property
    def name(self) -> str | None:
        return text(at(self.properties, "Name"))

    @property
    def is_detected(self) -> bool:
        """Whether Slurm finds the devices itself, or may."""
        return at(self.properties, "AutoDetect") is not None

    @property
    def has_files(self) -> bool:
        """Also where they are unknown."""
        return any(at(self.properties, key) is not None for key in ("File", "MultipleFiles"))

    @property
    def count(self) -> int | None:
        """Devices of the record: of ``Count``, else of the range of ``File``; 1 without both."""
        given, file = at(self.properties, "Count"), at(self.properties, "File")
        if given is not None:
            return int(given) if isinstance(given, str) and given.isdecimal() else None
        return 1 if file is None else self.files

    @property
    def files(self) -> int | None:
        """Device files: 16 of ``/dev/neuron[0-15]``."""
        file = text(at(self.properties, "File"))
        if file is None or "," in file:
            return None
        found = RANGE.search(file)
        return int(found[2]) - int(found[1]) + 1 if found else None if "[" in file else 1


def requested(group: TemplateResource) -> Iterator[RequestedGres]:
    """Items of the setting ``Gres``, as far as they are known."""
    for path, name, value in slurm_settings(group):
        if name != "Gres" or text(value) is None:
            continue
        for item in str(value).split(","):
            kind, *rest = item.split(":")
            number = rest.pop() if rest and rest[-1].isdecimal() else "1"
            yield RequestedGres(path.replace("ParameterName", "ParameterValue"), kind, ":".join(rest), int(number))


def records(group: TemplateResource) -> list[GresRecord] | None:
    """None where they are unknown."""
    listed = at(group.properties, "SlurmConfiguration", "GresCustomSettings")
    if is_unknown(listed) or any(is_unknown(record) for record in items(listed)):
        return None
    return [GresRecord(f"{RECORDS}[{position}]", record) for position, record in enumerate(items(listed))]
