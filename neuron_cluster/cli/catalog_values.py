"""Values of a field that the catalog lists and the model does not."""

from __future__ import annotations

from collections.abc import Callable


def values_in_catalog(path: str) -> str:
    """The values in words, by pattern path; empty where the model is sufficient."""
    known = KNOWN.get(path)
    return known() if known is not None else ""


def _throughput_tiers() -> str:
    """``for persistent_2 one of 125, 250, …; for scratch_2 none``."""
    from neuron_cluster.catalog.catalog import load_catalog

    tiers = {row.name.lower(): ", ".join(map(str, row.throughput_tiers)) for row in load_catalog().lustre_deployments}
    return "; ".join(f"for {name} {f'one of {known}' if known else 'none'}" for name, known in tiers.items())


KNOWN: dict[str, Callable[[], str]] = {"storage.lustre.throughput_mbps_per_tib": _throughput_tiers}
