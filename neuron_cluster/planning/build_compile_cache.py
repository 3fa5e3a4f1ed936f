"""The compile cache: what the graphs of each Neuron group are compiled for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.plan.compile_cache_plan import COMPILE_CACHE_PREFIX, CompileCachePlan, CompiledFor

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.checkpoint_bucket import CompileCache
    from neuron_cluster.lock.model import Lock
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


def build_compile_cache(
    environment: ResolvedEnvironment, section: CompileCache, catalog: Catalog, lock: Lock | None
) -> CompileCachePlan:
    """A folder for each Neuron group; none for an SDK whose compiler the catalog does not know (rule W4031)."""
    path = ("storage", "compile_cache")
    compiled_for = tuple(_compiled_for(environment, catalog, lock))
    return CompileCachePlan(path, COMPILE_CACHE_PREFIX, section.expire_days, compiled_for)


def _compiled_for(environment: ResolvedEnvironment, catalog: Catalog, lock: Lock | None) -> Iterator[CompiledFor]:
    """With the compiler of the DLAMI where that has frameworks; containers have that of ``neuron.sdk``."""
    for group in environment.compute_groups:
        row = group.instance_type
        chip = catalog.chips.get(row.chip) if row is not None and row.chip is not None else None
        if row is None or chip is None:
            continue
        host = group.neuron_host(row, catalog, lock)
        has_compiler = host.dlami is not None and bool(host.dlami.virtual_environments)
        sdk = catalog.neuron_sdks.get((host.sdk if has_compiler else None) or environment.config.neuron.sdk)
        if sdk is None or sdk.compiler is None:
            continue
        lnc = row.selected_logical_nc_config(group.logical_nc_config)
        yield CompiledFor(group.name, sdk.compiler, chip.families[0], lnc)
