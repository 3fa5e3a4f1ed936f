"""Which graph (.neff) a device trace (.ntff) belongs to: both have the number of the graph in their names.

As the runtime writes them, ``neff_123.neff`` or ``neff_123_vnc_0.neff`` and ``123_instid_0_vnc_0.ntff``; as
``neuron-explorer capture`` does, one graph with ``profile.ntff`` or ``profile_rank_0.ntff``. Sources:
aws-neuron/aws-neuron-sdk:tools/neuron-explorer/get-started.rst and how-to-profile-workload.rst @81ce03a.
"""

from __future__ import annotations

import re
from pathlib import Path

NUMBER = re.compile(r"^(?:neff_)?(\d+)(?=_|$)")


def traces(folder: Path) -> list[Path]:
    """The device traces below a folder; those of cores that ran nothing are empty."""
    return sorted(path for path in folder.rglob("*.ntff") if path.stat().st_size > 0)


def graph_of(trace: Path, folder: Path) -> Path | None:
    """The graph of a trace, that of its own process first; None where no name tells it."""
    graphs = sorted(folder.rglob("*.neff"), key=lambda path: (path.parent != trace.parent, path))
    number = _number(trace)
    if number is None:
        return graphs[0] if len(graphs) == 1 else None
    return next((graph for graph in graphs if _number(graph) == number), None)


def _number(path: Path) -> str | None:
    found = NUMBER.match(path.stem)
    return found[1] if found else None
