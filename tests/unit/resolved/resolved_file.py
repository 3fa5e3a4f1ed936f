"""Reads an edited environment for tests of what rules look at."""

from pathlib import Path
from typing import Any

from rule_fixture import Case

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.compatibility.neuron_software import NeuronSoftwareSet, neuron_software_set
from neuron_cluster.config.loader import load_environment
from neuron_cluster.config.machine import Machine
from neuron_cluster.lock.model import Lock
from neuron_cluster.protocol.registry import resolve_environment
from neuron_cluster.providers.eks.node_groups import machine_image
from neuron_cluster.resolved.compute_group import ClusterGroup
from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment
from neuron_cluster.resolved.root_volume import resolve_root_volume
from neuron_cluster.resolved.scaling import Scaling, ScalingKind


def resolved_of(folder: Path, base: str, edits: dict[str, Any]) -> ResolvedEnvironment:
    file = folder / "environment.yaml"
    file.write_text(Case(base, edits).text(), encoding="utf-8")
    config = load_environment(file).config
    assert config is not None
    return resolve_environment(config, load_catalog())


def software_of(folder: Path, base: str, edits: dict[str, Any], lock: Lock | None = None) -> NeuronSoftwareSet:
    return neuron_software_set(resolved_of(folder, base, edits), load_catalog(), lock)


def group_of(spec: Machine) -> ClusterGroup:
    """A group of these machines, in one zone, with the image that EKS has for them."""
    catalog = load_catalog()
    row, scaling = catalog.instance_types.get(spec.instance_type), Scaling(ScalingKind.RANGE, 0, 0, 1)
    image = machine_image(row, catalog)
    volume = resolve_root_volume(spec.root_volume, row, image, catalog)
    return ClusterGroup(("here",), "here", "eks", spec, row, ("usw2-az4",), scaling, image, volume)
