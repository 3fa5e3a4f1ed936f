"""Slurm settings of a cluster, a compute node group or a queue, and those that PCS does not accept."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from neuron_cluster.findings.suggestions import did_you_mean_one_of
from neuron_cluster.template_rules.base import Violation, Violations
from neuron_cluster.template_rules.property_tree import at, items, text
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog

SETTINGS = "SlurmConfiguration.SlurmCustomSettings"


def slurm_settings(resource: TemplateResource) -> Iterator[tuple[str, str, Any]]:
    """Path, name and value of each setting whose name is known before the deploy."""
    listed = items(at(resource.properties, "SlurmConfiguration", "SlurmCustomSettings"))
    for position, setting in enumerate(listed):
        name = text(at(setting, "ParameterName"))
        if name is not None:
            yield f"{SETTINGS}[{position}].ParameterName", name, at(setting, "ParameterValue")


def not_accepted(resource: TemplateResource, level: str, catalog: Catalog) -> Violations:
    """``level`` is ``cluster``, ``group`` or ``queue``, as the catalog calls it."""
    row = catalog.slurm_settings[level]
    for path, name, _ in slurm_settings(resource):
        if not row.accepts(name):
            meant = did_you_mean_one_of(name, row.settings)
            yield Violation(
                path,
                f"is {name}, which PCS does not accept for a {level}",
                f"{meant}write a ParameterName that PCS accepts for a {level}, or remove the setting from "
                "SlurmCustomSettings; `neuron-cluster catalog settings` lists them",
            )
