"""collectives-check: nccom-test over whole nodes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from neuron_cluster.workload.recipe import Recipe
from neuron_cluster.workload.recipes.needs import DEVICES, EFA_PLUGIN, KUEUE
from neuron_cluster.workload.site import Site


def _values(site: Site) -> Mapping[str, Any]:
    """Floors are left empty: no source has any, so that the check measures and reports."""
    return {"machine": site.machine, "nodes": site.nodes}


COLLECTIVES_CHECK = Recipe(
    chart="collectives-check",
    needs=(DEVICES, EFA_PLUGIN, KUEUE),
    # Both images have nccom-test, Open MPI and sshd.
    front_ends={"jax": "jax", "torch": "torch_neuronx_training"},
    front_end_key=None,
    nodes_key="nodes",
    usual_nodes=2,
    places=(),
    values=_values,
)
