"""Charts that no registry has: how one is built from its commit and pushed to the ECR of the account."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.chart import OCI
from neuron_cluster.catalog.ecr_host import private_registry
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.plan.addon_plan import ChartPlan
from neuron_cluster.plan.cluster_plan import ClusterPlan


class ChartBuild(Struct, frozen=True, kw_only=True):
    """One chart, once for each account and Region. ``path`` is the key of the file that brings it."""

    path: KeyPath
    chart: str
    version: str
    source: str
    """Address of the Git repository."""
    commit: str
    folder: str
    """Folder of the chart in the Git repository."""
    registry: str
    region: str
    repository: str
    """The repository in the account's ECR, which ends with the name of the chart."""

    @property
    def tag(self) -> str:
        """The version as Helm pushes it: the tag of an OCI artifact has no plus sign."""
        return self.version.replace("+", "_")

    @property
    def checkout(self) -> str:
        """The folder that `git clone` makes."""
        return self.source.rpartition("/")[2]

    @property
    def commands(self) -> tuple[str, ...]:
        """Commands of a shell, each by itself, in an empty folder. Helm appends the chart's name to the registry."""
        return self._steps(self._create)

    def _steps(self, *of_repository: Sequence[str]) -> tuple[str, ...]:
        folder = f"{self.checkout}/{self.folder}"
        return tuple(
            shlex.join(command)
            for command in (
                ("git", "clone", self.source),
                ("git", "-C", self.checkout, "checkout", self.commit),
                ("helm", "dependency", "update", folder),
                ("helm", "package", folder, "--version", self.version),
                *of_repository,
                ("helm", "push", f"{self.chart}-{self.version}.tgz", self.target),
            )
        )

    def remedy(self, name: str, *, has_repository: bool = False) -> str:
        """The hint where the repository or the version is missing, for the environment of this name."""
        commands = self._steps() if has_repository else self.commands
        script = f"`neuron-cluster images {name} --commands` prints a script"
        steps = ", ".join(f"`{command}`" for command in commands)
        return f"build it, once for the account and Region; {script}, or run `{self.login}` and {steps}"

    @property
    def login(self) -> str:
        """The command by which Helm may push."""
        password = f"aws ecr get-login-password --region {self.region}"
        return f"{password} | helm registry login --username AWS --password-stdin {self.registry}"

    @property
    def target(self) -> str:
        """Where Helm pushes it to."""
        return f"{OCI}{self.registry}/{self.repository.removesuffix(self.chart)}"

    @property
    def _create(self) -> Sequence[str]:
        name = ("--repository-name", self.repository, "--image-tag-mutability", "IMMUTABLE")
        return ("aws", "ecr", "create-repository", "--region", self.region, *name)


def chart_builds(plan: ClusterPlan, catalog: Catalog) -> tuple[ChartBuild, ...]:
    """Returns those of the environment, in the order in which its charts are installed."""
    found = (_build(chart, plan, catalog) for chart in plan.charts)
    return tuple(build for build in found if build is not None)


def _build(chart: ChartPlan, plan: ClusterPlan, catalog: Catalog) -> ChartBuild | None:
    row = catalog.charts.get(chart.chart)
    if row is None or row.git is None:
        return None
    return ChartBuild(
        path=chart.path,
        chart=row.name,
        version=row.version,
        source=row.repository,
        commit=row.git.commit,
        folder=row.git.path,
        registry=private_registry(plan.account, plan.region),
        region=plan.region,
        repository=row.git.ecr_repository,
    )
