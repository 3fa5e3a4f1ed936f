"""Values of a template that stand for one of the user's."""

from __future__ import annotations

import re

from neuron_cluster.config.source_map import format_path
from neuron_cluster.starter.data_file import placeholders
from neuron_cluster.upgrade.file_edit import scalar_values


def placeholders_in(text: str) -> list[tuple[tuple[str, ...], str]]:
    """The keys of an environment file whose value is a placeholder, with what to write there."""
    values = scalar_values(text)
    found = []
    for each in placeholders():
        keys = tuple(format_path(path) for path, value in values.items() if re.fullmatch(each.value, value))
        if keys:
            found.append((keys, each.write))
    return found
