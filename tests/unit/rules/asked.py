"""Reads an edited environment for tests of what rules look at."""

from pathlib import Path
from typing import Any

from rule_fixture import Case

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.config.environment import EnvironmentConfig
from neuron_cluster.config.loader import load_environment
from neuron_cluster.lock.model import Lock
from neuron_cluster.rules.asked_software import AskedSoftware, asked_software


def config_of(folder: Path, base: str, edits: dict[str, Any]) -> EnvironmentConfig:
    file = folder / "environment.yaml"
    file.write_text(Case(base, edits).text(), encoding="utf-8")
    config = load_environment(file).config
    assert config is not None
    return config


def software_of(folder: Path, base: str, edits: dict[str, Any], lock: Lock | None = None) -> AskedSoftware:
    return asked_software(config_of(folder, base, edits), load_catalog(), lock)
