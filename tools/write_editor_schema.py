"""Writes environments/environment.schema.json from the model. Run it after a change to config/."""

from __future__ import annotations

from pathlib import Path

from neuron_cluster.config.editor_schema import editor_schema

TARGET = Path(__file__).parents[1] / "environments" / "environment.schema.json"

if __name__ == "__main__":
    TARGET.write_text(editor_schema())
