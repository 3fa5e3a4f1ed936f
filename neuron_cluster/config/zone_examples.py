"""Zone ids in messages about the shape of a file: those of the Region that the file names, where it can be read."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from neuron_cluster.config.scalars import ZONE_ID_PATTERN

MODEL_REGION, MODEL_ZONE = "us-west-2", "usw2-az4"
"""Where the examples of the model are."""

ZonesOf = Callable[[str], Sequence[str]]
"""The zone ids of a Region by its name; empty for an unknown one."""


class ZoneExamples(Struct, frozen=True):
    """Examples write it in place of a zone's name and for zone ids."""

    region: str = ""
    ids: tuple[str, ...] = ()
    """Empty where the Region of the file is not known: then the examples of the model are shown as they are."""

    @property
    def text(self) -> str:
        """The description of a zone, to be read after ``it must be``."""
        region, zone = (self.region, self.ids[0]) if self.ids else (MODEL_REGION, MODEL_ZONE)
        return f"a zone id such as {zone} (a zone's name, {region}a, is another place in each account)"

    def shown(self, example: Any) -> Any:
        """An example of the model with zone ids of this Region."""
        match example:
            case str() if self.ids and re.match(ZONE_ID_PATTERN, example):
                return self.ids[0]
            case [str(first), *_] if self.ids and re.match(ZONE_ID_PATTERN, first):
                return list(self.ids[: len(example)])
            case list():
                return [self.shown(item) for item in example]
            case dict():
                return {key: self.shown(item) for key, item in example.items()}
            case _:
                return example


def zone_examples(tree: Any, zones_of: ZonesOf) -> ZoneExamples:
    """Returns the examples for a tree of the file."""
    region = tree.get("region") if isinstance(tree, dict) else None
    if not isinstance(region, str) or region == MODEL_REGION:
        return ZoneExamples()
    return ZoneExamples(region, tuple(zones_of(region)))
