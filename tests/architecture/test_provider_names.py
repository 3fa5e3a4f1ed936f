"""The core names no provider: what is true of one alone is in ``providers/NAME`` and ``stacks/NAME``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "neuron_cluster"
OWN = (
    *("providers/eks/", "template_rules/eks/", "catalog/", "cdk/", "local_aws/", "local_checks/", "aws/eks"),
    *("providers/hyperpod/", "template_rules/sagemaker/", "aws/hyperpod.py"),
)
"""Packages of EKS, facts, public constructs (one is a node group), the other side of the API, the service's client;
HyperPod, whose nodes join a cluster of EKS."""
NAME = re.compile(r"(?:^|[^a-z])eks", re.IGNORECASE)
MODULE = re.compile(r"\bproviders\.eks\b|\bstacks\.eks\b")

CITED = (
    r"https?://[^\s\"'`)]+",
    r"[\w.-]*eks[\w.-]*/[\w.-]+(?:#\d+|@\w+)?",  # repositories: eksctl-io/eksctl#7906
    r"[\w.-]+/[\w.-]*eks[\w.-]*(?:#\d+|@\w+)?",  # awslabs/amazon-eks-ami
    r"deploy/eks/[\w.]+",  # pages of the AWS Neuron SDK
    r"EKS (?:API reference|guide)",
    r"AWS::EKS::\w+|Custom::AWSCDK-EKS-\w*",  # resource types of CloudFormation
    r"aws eks\b",  # the AWS command line
    r"`eks\.[\w.\[\]]+`",  # keys of the environment file, in titles of rules
    r"^ +proposes = \(.*",  # words that the hints of a rule write
)
CITATIONS = re.compile("|".join(CITED))
"""Sources and names of others."""

LINES = {
    "texts for the user name the product, its keys or its API": {
        "cli/access.py": 1,
        "cli/catalog.py": 7,
        "cli/explain.py": 4,
        "cli/images.py": 4,
        "cli/lock.py": 2,
        "config/absent_keys.py": 1,
        "config/bucket_access.py": 1,
        "config/environment_config.py": 1,
        "config/finding_specs.py": 1,
        "config/observability.py": 2,
        "config/team.py": 1,
        "lock/diff.py": 1,
        "registry/registries.py": 1,
        "report/addresses_page.py": 1,
        "report/catalog_page.py": 7,
        "report/images_page.py": 3,
        "report/machines_page.py": 1,
        "report/recommend_page.py": 2,
        "schedulers/kubernetes/options.py": 1,
        "starter/serving_text.py": 2,
        "upgrade/upgrade.py": 1,
    },
    "a rule or a change guard says which service reports the error": {
        "schedulers/kubernetes/rules/cluster/e2040_two_roles_for_service_account.py": 1,
        "schedulers/kubernetes/rules/cluster/e2062_teams_without_queue.py": 1,
        "schedulers/kubernetes/rules/cluster/e2094_team_without_namespace.py": 3,
        "schedulers/kubernetes/rules/compute/e3014_invalid_label.py": 5,
        "schedulers/kubernetes/rules/compute/e3015_invalid_taint.py": 2,
        "schedulers/kubernetes/rules/compute/e3066_too_many_taints.py": 2,
        "schedulers/kubernetes/rules/software/e5038_conflicting_node_repair.py": 4,
        "schedulers/kubernetes/rules/software/e5034_reserved_chart_value.py": 1,
        "schedulers/kubernetes/rules/software/e5036_kube_scheduler_version_mismatch.py": 1,
        "schedulers/kubernetes/rules/software/e5041_deployment_unschedulable.py": 1,
        "schedulers/kubernetes/rules/software/w5051_values_of_disabled_chart.py": 1,
        "schedulers/kubernetes/rules/software/w5072_recovery_without_metadata.py": 1,
        "rules/compute/e3007_count_order.py": 1,
        "rules/compute/e3009_duplicate_node_group_name.py": 1,
        "rules/compute/w3003_instance_type_not_offered_in_zone.py": 1,
        "rules/compute/w3026_desired_before_capacity_block_active.py": 1,
        "rules/identity/e6003_invalid_tag.py": 2,
        "rules/identity/e6004_invalid_generated_name.py": 1,
        "rules/network/e1002_zone_listed_twice.py": 1,
        "rules/network/e1010_subnet_too_small_for_nodes.py": 3,
        "rules/software/w5012_driver_not_pinned.py": 1,
        "rules/software/w5032_chip_unsupported_by_driver.py": 1,
        "template_rules/ec2/metadata_hop_limit.py": 1,
    },
    "ARNs and session tags of EKS": {
        "access/linked_policies.py": 1,
        "access/matrix.py": 3,
        "access/roles.py": 1,
    },
    "limits of the catalog and the API that counts what an account has of them": {
        "aws/resource_counts.py": 1,
        "deploy/preflight/deployed_use.py": 1,
        "deploy/preflight/resource_quotas.py": 1,
    },
    "names of the catalog's data, of JSON keys and of the chapters of findings": {
        "findings/registry.py": 1,
        "plan/chart_images.py": 1,
        "plan/needed_software.py": 4,
        "report/plan_data.py": 1,
        "schedulers/kubernetes/rules/software/w5082_image_from_another_registry.py": 4,
        "schedulers/kubernetes/software/chart_values/image_sources.py": 2,
        "schedulers/kubernetes/software/components/registry.py": 1,
        "template_rules/base.py": 1,
    },
}
"""Lines of each file that name EKS outside of citations, by reason."""

SLURM_OWN = (
    *("providers/pcs/", "schedulers/slurm/", "template_rules/pcs/", "catalog/", "cdk/", "local_checks/"),
    *("providers/hyperpod/", "template_rules/sagemaker/", "aws/pcs.py"),
)
"""Packages of Slurm and PCS, facts, public constructs, the other side of the API, the service's client; HyperPod and
rules of SageMaker, which has Slurm too."""
SLURM = re.compile(r"(?:^|[^a-z])(?:slurm|pcs)", re.IGNORECASE)
SLURM_CITATIONS = re.compile(r"\bslurm-trn1\b|\bdocs/slurm\.md\b")
"""Files that the toolkit ships: an environment of examples, a page."""

SLURM_LINES = {
    "texts for the user name the product, its keys or its API": {
        "changes/rows/teams.py": 1,
        "cli/catalog.py": 7,
        "cli/image.py": 2,
        "cli/image_build.py": 1,
        "cli/offboard.py": 1,
        "cli/onboard.py": 1,
        "cli/synth.py": 1,
        "cli/workload.py": 1,
        "cli/workload_list.py": 1,
        "cli/workload_rehearsal.py": 1,
        "cli/workload_rehearse.py": 4,
        "cli/workload_render.py": 1,
        "cli/workload_submit.py": 2,
        "config/absent_keys.py": 4,
        "deploy/finding_specs.py": 1,
        "report/catalog_page.py": 7,
        "schedulers/sagemaker/rehearsal/planned.py": 1,
    },
    "a rule says which service waits for a capacity block, or which other cluster teams may have": {
        "schedulers/kubernetes/rules/cluster/e2062_teams_without_queue.py": 1,
        "rules/compute/w3026_desired_before_capacity_block_active.py": 1,
        "rules/compute/w3027_capacity_block_group_min_above_zero.py": 1,
        "rules/compute/w3042_desired_before_capacity_block_start.py": 1,
    },
    "names of the catalog's data and of the chapters of findings": {
        "report/catalog_page.py": 7,
        "template_rules/base.py": 1,
    },
    "a rehearsal: who caused an event, and the folder of its nodes with the modules of the chart": {
        "rehearsal/programs/train.py": 1,
        "rehearsal/timeline.py": 1,
        "report/rehearsal_svg.py": 2,
        "schedulers/kubernetes/rehearsal/diagnosis.py": 1,
    },
}
"""Lines of each file that name Slurm or PCS outside of citations, by reason."""


def _named(text: str, name: re.Pattern[str], citations: re.Pattern[str]) -> int:
    """How many lines name it."""
    named = (line for line in text.splitlines() if name.search(line))
    return sum(bool(name.search(citations.sub("", line))) for line in named)


def _files(own: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Names and texts of the modules of other packages."""
    for file in sorted(PACKAGE.rglob("*.py")):
        name = str(file.relative_to(PACKAGE))
        if not name.startswith(own):
            yield name, file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "own", "citations", "lines"),
    [
        pytest.param(NAME, OWN, CITATIONS, LINES, id="eks"),
        pytest.param(SLURM, SLURM_OWN, SLURM_CITATIONS, SLURM_LINES, id="slurm"),
    ],
)
def test_a_product_is_named_only_where_its_list_says_why(
    name: re.Pattern[str], own: tuple[str, ...], citations: re.Pattern[str], lines: Mapping[str, Mapping[str, int]]
) -> None:
    listed: Counter[str] = Counter()
    for files in lines.values():
        listed.update(files)
    assert {file: count for file, text in _files(own) if (count := _named(text, name, citations))} == listed


def test_nothing_outside_its_packages_imports_eks() -> None:
    found = [name for name, text in _files(OWN) if MODULE.search(text)]
    assert found == []
