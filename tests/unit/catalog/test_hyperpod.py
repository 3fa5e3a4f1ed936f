"""SageMaker HyperPod: rows agree with the API, CloudFormation and EKS."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cfnlint
import pytest
from botocore.loaders import Loader

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.hyperpod_doubt import HyperPodDoubt
from neuron_cluster.catalog.source_data import CatalogError, read_rows

CATALOG = load_catalog()
SCHEMAS = Path(cfnlint.__file__).parent / "data" / "schemas" / "providers"
TYPES = ("Cluster", "ComputeQuota", "ClusterSchedulerConfig")
LIMITS = {
    "hyperpod_cluster_name": "ClusterName",
    "hyperpod_group_name": "ClusterInstanceGroupName",
    "hyperpod_groups": "ClusterInstanceGroupSpecifications",
    "hyperpod_group_instances": "ClusterInstanceCount",
    "hyperpod_subnets": "Subnets",
    "hyperpod_storage_configs": "ClusterInstanceStorageConfigs",
    "hyperpod_volume_gb": "ClusterEbsVolumeSizeInGB",
    "hyperpod_labels": "ClusterKubernetesLabels",
    "hyperpod_taints": "ClusterKubernetesTaints",
    "hyperpod_update_wait_seconds": "WaitTimeIntervalInSeconds",
    "hyperpod_repaired_nodes": "BatchReplaceClusterNodesRequestNodeIdsList",
    "hyperpod_deleted_nodes": "ClusterNodeIds",
    "hyperpod_added_groups": "AddClusterNodeSpecificationList",
    "compute_quota_resources": "ComputeQuotaResourceConfigList",
    "scheduler_priority_classes": "PriorityClassList",
}


@pytest.fixture(scope="module")
def shapes() -> dict[str, Any]:
    return dict(Loader().load_service_model("sagemaker", "service-2")["shapes"])


@pytest.mark.parametrize("name", LIMITS)
def test_limits_are_those_of_the_api(name: str, shapes: dict[str, Any]) -> None:
    row, shape = CATALOG.limits[name], shapes[LIMITS[name]]
    assert row.maximum == shape["max"]
    assert (row.minimum or 0) == shape["min"]
    assert row.pattern == shape.get("pattern")


def test_quotas_of_hyperpod_are_of_sagemaker_and_in_doubt() -> None:
    quotas = {row.quota_code: row for row in CATALOG.limits if row.quota_service == "sagemaker"}
    assert {code: row.maximum for code, row in quotas.items()} == {
        "L-2CE978FC": 20,
        "L-3308CCC7": 30,
        "L-97A2C724": 0,
        "L-867702E6": 25,
        "L-E13DF72A": 1024,
    }
    assert [row.name for row in quotas.values() if not row.doubt_about("maximum")] == []


@pytest.mark.parametrize("name", TYPES)
def test_regions_of_types_are_those_of_the_schemas(name: str) -> None:
    known = {file.stem: json.loads(file.read_text()) for file in SCHEMAS.glob("*.json") if file.stem in CATALOG.regions}
    type_name = f"AWS::SageMaker::{name}"
    found = sorted(region for region, schemas in known.items() if type_name in schemas)
    assert list(CATALOG.resource_type_regions[type_name].regions) == found


def test_types_are_sold_where_hyperpod_is() -> None:
    regions = {*CATALOG.resource_type_regions["AWS::SageMaker::Cluster"].regions}
    for row in CATALOG.hyperpod_types:
        assert {*(row.regions or ())} <= regions, row.name


def test_versions_that_the_guide_does_not_list_are_in_doubt() -> None:
    in_doubt = [row.name for row in CATALOG.hyperpod_kubernetes if row.doubt_about("name")]
    certain = [row.name for row in CATALOG.hyperpod_kubernetes if not row.doubt_about("name")]
    assert certain == [f"1.{minor}" for minor in range(30, 36)]
    assert in_doubt == ["1.36", "1.37"]


def test_every_domain_that_eks_reserves_is_reserved_on_hyperpod() -> None:
    assert {*CATALOG.reserved_label_domains.names} < {*CATALOG.hyperpod_label_domains.names}
    assert "sagemaker.amazonaws.com" in CATALOG.hyperpod_label_domains


def test_actions_of_roles_are_actions_of_iam() -> None:
    actions = [each for row in CATALOG.hyperpod_roles for statement in row.statements for each in statement.actions]
    recorded = [(CATALOG.iam_services.get(each.partition(":")[0]), each.partition(":")[2]) for each in actions]
    known = [(service, name) for service, name in recorded if service is not None]
    assert len(known) > 30
    assert [name for service, name in known if not service.has_action(name)] == []


def test_policies_of_roles_have_a_row() -> None:
    named = {policy for row in CATALOG.hyperpod_roles for policy in row.managed_policies}
    assert named <= {*CATALOG.aws_managed_policies.names}


def test_a_node_on_slurm_needs_less_than_one_on_eks() -> None:
    eks, slurm = (
        {action for each in CATALOG.hyperpod_roles[name].statements for action in each.actions}
        for name in ("node_on_eks", "node_on_slurm")
    )
    assert slurm < eks


def test_only_the_release_of_the_ami_of_eks_can_be_pinned() -> None:
    assert [row.name for row in CATALOG.hyperpod_amis if row.has_release_versions] == ["eks"]
    assert [row.name for row in CATALOG.hyperpod_amis if not row.doubt_about("neuron_driver")] == []


def test_each_open_question_says_how_an_account_would_answer_it() -> None:
    assert len(CATALOG.hyperpod_doubts) >= 20
    assert [row.name for row in CATALOG.hyperpod_doubts if len(row.check) <= 20] == []


def test_questions_are_about_values_that_a_file_can_have() -> None:
    versions = {*CATALOG.hyperpod_kubernetes.names}
    types = {f"ml.{name}" for name in CATALOG.instance_types.names}
    for row in CATALOG.hyperpod_doubts:
        if "eks.version" in row.keys:
            assert {*row.values} <= versions, row.name
        if "hyperpod.groups[].instance_type" in row.keys:
            assert {*row.values} <= types, row.name


@pytest.mark.parametrize(
    ("name", "key", "value", "is_about"),
    [
        ("newer_kubernetes", "eks.version", "1.36", True),
        ("newer_kubernetes", "eks.version", "1.35", False),
        ("spot_trainium", "hyperpod.groups[].capacity.kind", "spot", True),
        ("spot_trainium", "hyperpod.groups[].instance_type", "spot", False),
        ("type_change", "hyperpod.groups[].instance_type", "ml.m7i.large", True),
        ("warm_pool", "hyperpod", "", False),
    ],
)
def test_a_file_depends_on_a_question_by_the_value_of_a_key(name: str, key: str, value: str, is_about: bool) -> None:
    assert CATALOG.hyperpod_doubts[name].is_about(key, value) is is_about


def test_values_without_a_key_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "rows.yaml"
    file.write_text(
        "- name: q\n  source: s\n  checked_on: 2026-11-23\n  title: t\n  unknown: u\n  assumed: a\n  check: c\n"
        "  values: [spot]\n"
    )
    with pytest.raises(CatalogError, match="are those of no key"):
        read_rows(file, HyperPodDoubt)
