"""Custom resource definitions of a chart that an update of its release leaves as they are."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.chart import OCI, Chart
from neuron_cluster.catalog.ecr_host import ecr_host
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.base import Guard, Violation
from neuron_cluster.changes.kubernetes_objects import CHART


class ChartCrdsStayOld(Guard):
    """The CRDs in the folder `crds/` of a chart are updated before the chart (`eks.addons`).

    Helm installs the folder with the first release and leaves it out of every later one. Their size is beyond that of a
    CloudFormation template, so the software stack has none of them.

    The new controller runs with the old CRDs: the API server drops fields that these do not have, without an error, and
    a controller whose kind is new does not start.
    """

    id = "W9077"
    key = ("eks", "addons")
    source = "https://helm.sh/docs/chart_best_practices/custom_resource_definitions/"
    references = ("prometheus-community/helm-charts#3658",)

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        """Once for a chart of another version."""
        for address in sorted({*comparison.updated, *comparison.replaced}):
            if comparison.type_of(address) != CHART:
                continue
            before, after = (stacks.properties(address) for stacks in (comparison.before, comparison.after))
            row = comparison.catalog.charts.get(str(after.get("Chart")))
            old, new = str(before.get("Version")), str(after.get("Version"))
            if row is not None and row.keeps_old_crds and old != new:
                yield Violation(
                    address,
                    f"the chart {row.name} changes from {old} to {new}, and helm does not update the CRDs in its "
                    "folder crds/: those of the cluster would stay as they are",
                    _remedy(row, after.get("Repository"), new, comparison.catalog),
                )


def _remedy(row: Chart, repository: object, version: str, catalog: Catalog) -> str:
    """In one order: registry, CRDs, deploy. ``repository`` is where the stack takes the chart from."""
    reference = repository if isinstance(repository, str) else row.repository
    is_oci = reference.startswith(OCI)
    source = (reference,) if is_oci else (row.name, "--repo", reference)
    show = shlex.join(("helm", "show", "crds", *source, "--version", version))
    apply = f"`{show} | kubectl apply --server-side --force-conflicts -f -`"
    login = _login(reference, catalog)
    return f"{login}with kubectl at this cluster, run {apply}; then deploy (docs/software.md, CRDs of charts)"


def _login(reference: str, catalog: Catalog) -> str:
    """Returns the login command of a chart from ECR; empty for others, which are public."""
    host = reference.removeprefix(OCI).partition("/")[0]
    registry = ecr_host(host, catalog.regions.names)
    if registry is None:
        return ""
    password = f"aws ecr get-login-password --region {registry.region}"
    return f"run `{password} | helm registry login --username AWS --password-stdin {host}`; "
