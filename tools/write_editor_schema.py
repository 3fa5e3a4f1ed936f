"""Writes environments/environment.schema.json from the model and the names in the catalog. Run it after a change to
config/ or to the instance types, Regions, SDK releases or frameworks of the catalog."""

from __future__ import annotations

from pathlib import Path

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.config.editor_schema import editor_schema

TARGET = Path(__file__).parents[1] / "environments" / "environment.schema.json"


def schema_text() -> str:
    """The text of the file. Other names are errors (E3001, E6001, E6005, E5018), so that an editor may refuse them."""
    catalog = load_catalog()
    return editor_schema(
        {
            "instance_type": sorted(row.name for row in catalog.instance_types),
            "region": sorted(row.name for row in catalog.regions),
            "sdk": [row.name for row in catalog.neuron_sdks],
            "frameworks": sorted(row.name for row in catalog.frameworks),
        }
    )


if __name__ == "__main__":
    TARGET.write_text(schema_text())
