"""W2011 sends nobody to a Kubernetes version whose images no longer drive the chips of the file."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

from msgspec import structs

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.providers.eks.rules.cluster.w2011_version_near_end_of_support import VersionNearEndOfSupport
from neuron_cluster.rules.base import RuleContext
from tests.unit.resolved.resolved_file import resolved_of

TODAY = date(2026, 11, 21)
WHY = "no known AMI of 1.35 has a driver for AWS Inferentia (inf1)"
ONWARD = "upgrade one minor version at a time, to 1.35 (standard support until 2027-03-27)"


class CatalogWithALastingVersion(Catalog):
    """The newest version is supported for years yet, as of some release in every later catalog."""

    kubernetes_versions = Catalog.kubernetes_versions.with_rows(
        [
            *Catalog.kubernetes_versions.rows[:-1],
            structs.replace(Catalog.kubernetes_versions.rows[-1], standard_support_ends=date(2030, 1, 1)),
        ]
    )


def hint(folder: Path, edits: dict[str, Any], as_of: date, base: str, catalog: Catalog | None = None) -> str:
    environment = resolved_of(folder, base, edits)
    context = RuleContext(environment=environment, catalog=catalog or Catalog(), given_date=as_of)
    (problem,) = VersionNearEndOfSupport().check(context)
    return problem.hint


def test_machines_of_a_dropped_chip_hold_the_cluster_where_it_is(tmp_path: Path) -> None:
    said = hint(tmp_path, {}, TODAY, "serve-inf1")
    assert (
        said == f"stay at 1.34 (extended support until 2027-12-02): {WHY}; or use inf2 instances there, then {ONWARD}"
    )


def test_an_older_cluster_may_go_as_far_as_the_chip_is_driven(tmp_path: Path) -> None:
    said = hint(tmp_path, {"eks.version": "1.33"}, TODAY, "serve-inf1")
    assert said.startswith(f"upgrade to 1.34 and not further (extended support until 2027-12-02): {WHY}; or use inf2")


def test_no_version_lasts_and_the_chip_still_holds(tmp_path: Path) -> None:
    said = hint(tmp_path, {}, date(2027, 7, 1), "serve-inf1")
    assert said == f"stay at 1.34 (extended support until 2027-12-02): {WHY}; or use inf2 instances there"


def test_where_eks_upgrades_by_itself_only_other_machines_help(tmp_path: Path) -> None:
    """Extended support has ended too: nobody can stay."""
    said = hint(tmp_path, {}, date(2027, 12, 2), "serve-inf1", CatalogWithALastingVersion())
    assert said.startswith(f"{WHY}: use inf2 instances there, then upgrade one minor version at a time, to 1.36")


def test_other_chips_hold_nothing(tmp_path: Path) -> None:
    assert hint(tmp_path, {"eks.version": "1.34"}, TODAY, "train-trn1") == ONWARD


def test_a_machine_that_is_not_driven_even_now_is_the_matter_of_another_rule(tmp_path: Path) -> None:
    """W5032 says that the images of 1.35 do not drive it; those of 1.36 are no worse."""
    said = hint(tmp_path, {"eks.version": "1.35"}, date(2027, 2, 1), "serve-inf1")
    assert said.startswith("upgrade one minor version at a time, to 1.36")
