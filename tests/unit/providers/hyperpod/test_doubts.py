"""Open questions about HyperPod appear where a file depends on them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from rule_findings import findings_of_rule
from rule_fixture import Case

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.config.change_row import FieldEffect
from neuron_cluster.findings.finding import Severity
from neuron_cluster.providers.eks.config.cluster import Eks
from neuron_cluster.providers.hyperpod.changes.change_rows import HYPERPOD_ROWS
from neuron_cluster.providers.hyperpod.config.cluster import HyperPod
from neuron_cluster.providers.hyperpod.doubts import OF_CHANGES, OF_EKS, REJECTED, SETTLED, doubts_of
from neuron_cluster.rules.discover import all_rules
from tests.unit.resolved.resolved_file import resolved_of

CATALOG = load_catalog()
ROOT = Path(__file__).parents[4]
NAME = "hyperpod-trn2"
CPU = {"hyperpod.groups": [{"name": "cpu", "instance_type": "ml.m7i.2xlarge", "count": {"desired": 1}}]}
ALWAYS = {"chart_subset"}
NEURON = {*ALWAYS, "network_interface", "neuron_driver", "threads_per_core"}
TRN2 = {*NEURON, "trn2_addresses", "logical_nc_config"}
OF_SLURM = {"slurm_version", "slurm_gres", "slurm_extension_script", "slurm_own_settings", "slurm_sessions"}
GOVERNANCE = {"accelerators", "end_of_compute_quota", "nodes_of_addon"}
GOVERNED: dict[str, Any] = {"hyperpod.task_governance": {}}
RULES = {rule.id: rule for rule in all_rules()}


def cpu_groups(number: int) -> dict[str, Any]:
    (cpu,) = CPU["hyperpod.groups"]
    return {"hyperpod.groups": [{**cpu, "name": f"cpu-{position}"} for position in range(number)]}


CASES: list[tuple[dict[str, Any], set[str]]] = [
    ({}, TRN2),
    (CPU, ALWAYS),
    ({"hyperpod.groups[0].instance_type": "ml.trn1.32xlarge"}, NEURON),
    ({"hyperpod.groups[0].instance_type": "ml.inf2.48xlarge"}, ALWAYS),
    ({"hyperpod.groups[0].capacity": {"kind": "spot"}}, {*TRN2, "spot_trainium"}),
    ({"hyperpod.continuous": False}, {*TRN2, "continuous_later"}),
    ({"eks.addons.neuron_dra_driver": True}, {*TRN2, "neuron_dra"}),
    ({"hyperpod.job_auto_resume": True}, {*TRN2, "job_auto_resume"}),
    ({"eks.version": "1.36"}, TRN2),
    (GOVERNED, {*TRN2, *GOVERNANCE}),
    ({**GOVERNED, "eks.addons.kubeflow_trainer": True}, {*TRN2, *GOVERNANCE, "train_job"}),
    ({"eks.addons.kubeflow_trainer": True}, TRN2),
    (cpu_groups(20), ALWAYS),
    (cpu_groups(21), {*ALWAYS, "number_of_groups"}),
]
TRN2_3 = {"hyperpod.groups[0].instance_type": "ml.trn2.3xlarge"}
CASES_ON_SLURM: list[tuple[dict[str, Any], set[str]]] = [
    ({}, {*OF_SLURM, "network_interface", "neuron_driver"}),
    (TRN2_3, {*OF_SLURM, "network_interface", "neuron_driver", "trn2_addresses", "logical_nc_config"}),
    ({"hyperpod.groups[0].instance_type": "ml.m7i.2xlarge"}, OF_SLURM),
    ({"hyperpod.continuous": False}, {*OF_SLURM, "network_interface", "neuron_driver", "continuous_later"}),
]


@pytest.mark.parametrize(("edits", "expected"), CASES)
def test_a_file_has_the_questions_that_it_depends_on(edits: dict[str, Any], expected: set[str], tmp_path: Path) -> None:
    assert {row.name for row, _ in doubts_of(resolved_of(tmp_path, NAME, edits), CATALOG)} == expected


@pytest.mark.parametrize(("edits", "expected"), CASES_ON_SLURM)
def test_a_file_with_slurm_has_the_questions_of_slurm_and_none_of_eks(
    edits: dict[str, Any], expected: set[str], tmp_path: Path
) -> None:
    found = {row.name for row, _ in doubts_of(resolved_of(tmp_path, "hyperpod-slurm-trn1", edits), CATALOG)}
    assert found == expected
    assert found.isdisjoint(OF_EKS)


def test_a_question_is_at_the_first_group_that_it_is_about(tmp_path: Path) -> None:
    trn2 = {"name": "trn2", "instance_type": "ml.trn2.48xlarge", "count": {"desired": 1}}
    groups = {"hyperpod.groups": [*CPU["hyperpod.groups"], trn2, {**trn2, "name": "more"}]}
    found = {row.name: path for row, path in doubts_of(resolved_of(tmp_path, NAME, groups), CATALOG)}
    assert found["trn2_addresses"] == ("hyperpod", "groups", 1, "instance_type")
    assert found["chart_subset"] == ("hyperpod",)


def test_the_question_about_the_number_of_groups_is_at_the_list(tmp_path: Path) -> None:
    found = {row.name: path for row, path in doubts_of(resolved_of(tmp_path, NAME, cpu_groups(21)), CATALOG)}
    assert found["number_of_groups"] == ("hyperpod", "groups")


def test_a_question_about_a_key_is_asked_or_left_out_for_a_reason() -> None:
    left_out = {*SETTLED, *OF_CHANGES, *REJECTED}
    about_keys = {row.name for row in CATALOG.hyperpod_doubts if row.keys}
    asked = set.union(*(expected for _, expected in (*CASES, *CASES_ON_SLURM)))
    assert about_keys == asked | left_out
    assert asked.isdisjoint(left_out)


@pytest.mark.parametrize("value", CATALOG.hyperpod_doubts["small_neuron_types"].values)
def test_a_small_neuron_type_is_rejected_with_the_doubt(value: str, tmp_path: Path) -> None:
    key = "hyperpod.groups[0].instance_type"
    (found,) = findings_of_rule(RULES["E2205"], Case(NAME, {key: value}), tmp_path)
    assert (found.location.path, found.severity) == (key, Severity.ERROR)
    assert CATALOG.hyperpod_doubts["small_neuron_types"].unknown in found.message


def test_a_newer_kubernetes_is_rejected_with_the_doubt(tmp_path: Path) -> None:
    known = [each for each in CATALOG.hyperpod_doubts["newer_kubernetes"].values if each in CATALOG.kubernetes_versions]
    assert known
    for version in known:
        (found,) = findings_of_rule(RULES["E2203"], Case(NAME, {"eks.version": version}), tmp_path)
        assert (found.location.path, found.severity) == ("eks.version", Severity.ERROR)
        assert f"no source confirms nodes of {version}" in found.message


def test_a_region_without_a_type_is_rejected_with_the_way_to_find_out(tmp_path: Path) -> None:
    (found,) = findings_of_rule(RULES["E2230"], Case(NAME, GOVERNED), tmp_path)
    assert (found.location.path, found.severity) == ("hyperpod.task_governance", Severity.ERROR)
    assert found.hint is not None
    assert CATALOG.hyperpod_doubts["scheduler_config_regions"].check.strip("`") in found.hint


def cluster() -> dict[str, Any]:
    template = json.loads((ROOT / f"tests/golden/{NAME}/{NAME}-hyperpod.template.json").read_text(encoding="utf-8"))
    (only,) = (each for each in template["Resources"].values() if each["Type"] == "AWS::SageMaker::Cluster")
    return dict(only["Properties"])


def test_every_group_has_a_life_cycle_script() -> None:
    assert SETTLED == ("life_cycle_config",)
    assert [group for group in cluster()["InstanceGroups"] if not group.get("LifeCycleConfig")] == []


def test_another_type_is_another_group() -> None:
    assert set(OF_CHANGES) == {"type_change", "two_clusters"}
    (row,) = (row for row in HYPERPOD_ROWS if row.path == "hyperpod.groups[].instance_type")
    assert row.effect is FieldEffect.DISPOSABLE
    assert "a group under another name is made" in row.what


def test_a_cluster_of_hyperpod_has_the_eks_cluster_of_its_own_environment() -> None:
    """No key names another EKS cluster, which could have a HyperPod cluster already."""
    assert cluster()["Orchestrator"]["Eks"]["ClusterArn"].endswith(f":cluster/{NAME}")
    assert {*Eks.model_fields, *HyperPod.model_fields}.isdisjoint({"existing", "cluster", "cluster_arn"})
