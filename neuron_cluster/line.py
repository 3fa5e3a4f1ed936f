"""The whole line: file → shape → rules → plan → rules. The only caller of all of it, for the CLI and ``app.py``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from neuron_cluster.catalog.catalog import Catalog, load_catalog
from neuron_cluster.config.loader import LoadedEnvironment, load_environment
from neuron_cluster.config.source_map import KeyPath, spelled
from neuron_cluster.errors import InvalidEnvironment
from neuron_cluster.findings import Finding, has_error, in_reading_order
from neuron_cluster.plan.build import build_plan
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.rules.run import stage_1, stage_2


@dataclass(frozen=True)
class Checked:
    """An environment file after every check. ``plan`` is there if and only if no finding is an error."""

    findings: tuple[Finding, ...]
    plan: ClusterPlan | None

    def require_plan(self) -> ClusterPlan:
        """The plan. Raises ``InvalidEnvironment`` with the findings when there is none."""
        if self.plan is None:
            raise InvalidEnvironment(self.findings)
        return self.plan


def check_environment(path: Path, *, shown_as: str | None = None, catalog: Catalog | None = None) -> Checked:
    """Reads, checks and plans one environment file. Raises nothing for a bad file."""
    catalog = catalog or load_catalog()
    loaded = load_environment(path, shown_as=shown_as)
    findings = list(loaded.findings)
    if loaded.config is None:
        return Checked(tuple(in_reading_order(findings)), None)
    ruled = stage_1(loaded.config, catalog, loaded.source)
    findings += [f for f in ruled if not _follows_from_repair(f, loaded)]
    if has_error(findings):
        return Checked(tuple(in_reading_order(findings)), None)
    plan = build_plan(loaded.config, catalog)
    findings += stage_2(plan, catalog, loaded.source)
    return Checked(tuple(in_reading_order(findings)), None if has_error(findings) else plan)


def _follows_from_repair(finding: Finding, loaded: LoadedEnvironment) -> bool:
    """Whether a value of ours that stands in for a broken one may have misled a rule (see ``shape``).

    A default misleads about itself; an example about the whole list item that it stands in.
    """
    doubtful = [*loaded.repaired, *(_item_around(path) for path in loaded.guessed)]
    return any(_is_within(finding.location.path, spelled(path)) for path in doubtful) or any(
        _is_within(spelled(path), finding.location.path) for path in loaded.repaired
    )


def _is_within(path: str, around: str) -> bool:
    """Whether one spelled key path is the other or lies in it."""
    return path == around or path.startswith((f"{around}.", f"{around}["))


def _item_around(path: KeyPath) -> KeyPath:
    """The list item that a path lies in, else the path itself."""
    return next((path[:length] for length in range(len(path), 0, -1) if isinstance(path[length - 1], int)), path)
