"""Writes environments/environment.schema.json from the model and the names in the catalog. Run it after a change to
config/, to the names in the catalog, or to the charts of the cluster's software."""

from __future__ import annotations

from pathlib import Path

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.config.editor_schema import editor_schema
from neuron_cluster.software.components.registry import BUNDLED_CHARTS, CHARTS

TARGET = Path(__file__).parents[1] / "environments" / "environment.schema.json"


def schema_text() -> str:
    """The text of the file. Other names are errors, so that an editor may refuse them: E3001, E5018, E5033, E6001,
    E6005, E7001, E7003."""
    catalog = load_catalog()
    return editor_schema(
        {
            "instance_type": sorted(row.name for row in catalog.instance_types),
            "region": sorted(row.name for row in catalog.regions),
            "sdk": [row.name for row in catalog.neuron_sdks],
            "frameworks": sorted(row.name for row in catalog.frameworks),
            "dlami": sorted(row.name for row in catalog.dlamis),
            "virtual_environment": sorted({name for row in catalog.dlamis for name in row.virtual_environments}),
            "chart_values": sorted({*CHARTS.values(), *BUNDLED_CHARTS.values()}),
        }
    )


if __name__ == "__main__":
    TARGET.write_text(schema_text())
