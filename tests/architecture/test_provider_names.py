"""The core names no provider: what is true of one alone is in ``providers/NAME`` and ``stacks/NAME``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "neuron_cluster"
OWN = ("providers/eks/", "template_rules/eks/", "catalog/", "cdk/", "local_aws/", "local_checks/", "aws/eks.py")
"""Packages of EKS, facts, public constructs (one is a node group), the other side of the API, the service's client."""
NAME = re.compile(r"(?:^|[^a-z])eks", re.IGNORECASE)
SLURM = re.compile(r"(?:^|[^a-z])(?:slurm|pcs)", re.IGNORECASE)
MODULE = re.compile(r"\bproviders\.eks\b|\bstacks\.eks\b")

CITED = (
    r"https?://[^\s\"'`)]+",
    r"[\w.-]*eks[\w.-]*/[\w.-]+(?:#\d+|@\w+)?",  # repositories: eksctl-io/eksctl#7906
    r"[\w.-]+/[\w.-]*eks[\w.-]*(?:#\d+|@\w+)?",  # awslabs/amazon-eks-ami
    r"deploy/eks/[\w.]+",  # pages of the AWS Neuron SDK
    r"EKS (?:API reference|guide)",
    r"AWS::EKS::\w+|Custom::AWSCDK-EKS-\w*",  # resource types of CloudFormation
    r"aws eks\b",  # the AWS command line
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
        "config/absent_keys.py": 2,
        "config/bucket_access.py": 1,
        "config/environment_config.py": 1,
        "config/finding_specs.py": 1,
        "config/observability.py": 2,
        "config/team.py": 1,
        "lock/diff.py": 1,
        "registry/registries.py": 1,
        "report/addresses_page.py": 1,
        "report/catalog_page.py": 6,
        "report/images_page.py": 3,
        "report/machines_page.py": 1,
        "report/recommend_page.py": 2,
        "schedulers/kubernetes/options.py": 1,
        "starter/serving_text.py": 2,
        "upgrade/upgrade.py": 1,
    },
    "a rule or a change guard says which service reports the error": {
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
        "findings/finding.py": 1,
        "findings/registry.py": 1,
        "plan/chart_images.py": 1,
        "plan/needed_software.py": 4,
        "report/plan_data.py": 1,
        "schedulers/kubernetes/software/chart_values/image_sources.py": 3,
        "schedulers/kubernetes/software/components/registry.py": 1,
        "template_rules/base.py": 1,
    },
}
"""Lines of each file that name EKS outside of citations, by reason."""


SLURM_NAMED = {
    # Pages, chapters of findings and effects name the product.
    *(
        "cli/catalog.py",
        "config/absent_keys.py",
        "report/catalog_page.py",
        "template_rules/base.py",
        "changes/rows/teams.py",
    ),
    *(f"cli/workload{name}.py" for name in ("", "_list", "_render", "_submit")),
    *(f"cli/{name}.py" for name in ("image", "image_build", "offboard", "onboard", "synth")),
    *("deploy/finding_specs.py", "deploy/image_preparation.py"),
    # The key of the lock.
    *("deploy/image_build.py", "deploy/lock_update.py"),
    *(f"lock/{name}.py" for name in ("diff", "model", "shape", "tree")),
    # Rules say which service waits for a capacity block.
    "rules/compute/w3026_desired_before_capacity_block_active.py",
    "rules/compute/w3027_capacity_block_group_min_above_zero.py",
    "rules/compute/w3042_desired_before_capacity_block_start.py",
    # It leaves teams without a queue to Slurm.
    "providers/eks/rules/cluster/e2062_teams_without_queue.py",
}


def _named(text: str) -> int:
    lines = (line for line in text.splitlines() if "eks" in line.lower())
    return sum(bool(NAME.search(CITATIONS.sub("", line))) for line in lines)


def _files() -> Iterator[tuple[str, str]]:
    for file in sorted(PACKAGE.rglob("*.py")):
        name = str(file.relative_to(PACKAGE))
        if not name.startswith(OWN):
            yield name, file.read_text(encoding="utf-8")


def test_eks_is_named_only_where_this_list_says_why() -> None:
    listed: Counter[str] = Counter()
    for files in LINES.values():
        listed.update(files)
    assert {name: lines for name, text in _files() if (lines := _named(text))} == listed


def test_nothing_outside_its_packages_imports_eks() -> None:
    found = [name for name, text in _files() if MODULE.search(text)]
    assert found == []


def test_slurm_is_named_only_by_its_own_packages_and_the_pages_of_the_catalog() -> None:
    own = (
        "providers/pcs/",
        "schedulers/slurm/",
        "template_rules/pcs/",
        "local_checks/",
        "catalog/",
        "cdk/",
        "aws/pcs.py",
    )
    files = ((str(file.relative_to(PACKAGE)), file) for file in sorted(PACKAGE.rglob("*.py")))
    found = {name for name, file in files if not name.startswith(own) and SLURM.search(file.read_text("utf-8"))}
    assert found == SLURM_NAMED
