"""The versions that a person on call asks for first."""

from __future__ import annotations

from msgspec.structs import replace

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.report.versions_page import UNKNOWN, versions_table


def values(plan: ClusterPlan, catalog: Catalog) -> dict[str, str]:
    return {row[0]: row[1] for row in versions_table(plan, catalog).rows}


def with_release(plan: ClusterPlan, release: str | None) -> ClusterPlan:
    assert plan.kubernetes is not None
    groups = tuple(replace(group, image=replace(group.image, release=release)) for group in plan.kubernetes.node_groups)
    return replace(plan, providers=(replace(plan.kubernetes, node_groups=groups),))


def test_the_sdk_is_shown_with_its_parts_and_the_window_of_its_runtime(training: ClusterPlan, catalog: Catalog) -> None:
    shown = values(replace(training, neuron_sdk="2.30.0"), catalog)
    assert shown["its runtime"] == "2.32.31.0"
    assert shown["works with"] == "driver 2.27 or newer, below 2.29"
    assert shown["its driver"] == "2.28.0.0"
    assert shown["its compiler"] == "2.25.3371.0"


def test_what_no_source_says_is_not_guessed(training: ClusterPlan, catalog: Catalog) -> None:
    shown = values(replace(training, neuron_sdk="2.33.1"), catalog)
    assert {shown[part] for part in ("its runtime", "works with", "its driver", "its compiler")} == {UNKNOWN}


def test_only_neuron_machines_are_shown_with_the_driver_of_their_image(training: ClusterPlan, catalog: Catalog) -> None:
    newest = values(with_release(training, None), catalog)
    pinned = values(with_release(training, "1.35.6-20260714"), catalog)
    strange = values(with_release(training, "1.35.6-20260817"), catalog)
    assert newest["driver of trn1"] == "that of the AMI that is the newest when the group is created"
    assert pinned["driver of trn1"] == "2.29.0.0 (AMI release 1.35.6-20260714)"
    assert strange["driver of trn1"].startswith(UNKNOWN)
    assert "driver of system" not in pinned
