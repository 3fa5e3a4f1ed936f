"""Writes environments/environment.schema.json and partial.schema.json, of bases and files that extend one, from the
model and the names in the catalog. Run it after a change to config/, to the names in the catalog, or to the charts of
the cluster's software."""

from __future__ import annotations

from pathlib import Path

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.config.editor_schema import editor_schema, partial_schema
from neuron_cluster.schedulers.kubernetes.software.components.registry import BUNDLED_CHARTS, CHARTS, CHARTS_OF_GROUPS

FOLDER = Path(__file__).parents[1] / "environments"


def known_names() -> dict[str, list[str]]:
    """Returns names by key. Other names are errors, also of editors: E2205, E2303, E3001, E5018, E5033, E6001, E6005,
    E7001, E7003."""
    catalog = load_catalog()
    types = (catalog.instance_types, catalog.hyperpod_types, catalog.training_job_types)
    return {
        "instance_type": sorted({row.name for table in types for row in table}),
        "region": sorted(row.name for row in catalog.regions),
        "sdk": [row.name for row in catalog.neuron_sdks],
        "frameworks": sorted(row.name for row in catalog.frameworks),
        "dlami": sorted(row.name for row in catalog.dlamis),
        "virtual_environment": sorted({name for row in catalog.dlamis for name in row.virtual_environments}),
        "chart_values": sorted({*CHARTS.values(), *CHARTS_OF_GROUPS.values(), *BUNDLED_CHARTS.values()}),
    }


def schema_text() -> str:
    """The text of environment.schema.json."""
    return editor_schema(known_names())


def partial_schema_text() -> str:
    """The text of partial.schema.json."""
    return partial_schema(known_names())


if __name__ == "__main__":
    (FOLDER / "environment.schema.json").write_text(schema_text())
    (FOLDER / "partial.schema.json").write_text(partial_schema_text())
