"""The records of the page of an environment, without a synthesis: roles are those of golden templates."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from neuron_cluster.access.matrix import AccessMatrix
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.cost.environment_cost import environment_cost
from neuron_cluster.pipeline import check_environment
from neuron_cluster.report.environment_page import PageParts
from tests.conftest import FOLDERS

ON = date(2026, 11, 27)
ENVIRONMENTS = sorted(path.stem for folder in FOLDERS for path in folder.glob("*.yaml"))
"""Shipped ones, and those for tests."""


def environment_file(environment: str) -> Path:
    """The file of one of ``ENVIRONMENTS``."""
    return next(path for each in FOLDERS if (path := each / f"{environment}.yaml").is_file())


def parts_of(file: Path, matrix: AccessMatrix) -> PageParts:
    """As `report` makes them, with one log group."""
    catalog = load_catalog()
    checked = check_environment(file, display_name=f"environments/{file.name}", catalog=catalog, as_of=ON)
    plan = checked.require_plan()
    access = tuple(plan.kubernetes.kubernetes_access()) if plan.kubernetes is not None else ()
    return PageParts(
        plan=plan,
        catalog=catalog,
        findings=checked.findings,
        written=checked.require_resolved().provenances,
        cost=environment_cost(plan, catalog, ON),
        matrix=matrix,
        kubernetes=access,
        log_groups=("/aws/a-log-group",),
        file=f"environments/{file.name}",
        digest="0" * 64,
    )
