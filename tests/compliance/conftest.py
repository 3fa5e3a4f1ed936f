"""The shipped environments, and cases that have what none of them has."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.existing_vpc import ALL_EXISTING
from tests.five_teams import with_teams

sys.path.insert(0, str(Path(__file__).parents[1] / "round_trip"))
edited = importlib.import_module("edited_environment")

ENVIRONMENTS = sorted(path.stem for path in (Path(__file__).parents[2] / "environments").glob("*.yaml"))
STANDING = ("slurm-trn1", "train-trn1", "workstation")
"""With the edited one below they have every property that a golden has; the exhaustive tests take all environments."""
SHIPPED = [
    *(pytest.param((name, {}), id=name) for name in STANDING),
    pytest.param((edited.ENVIRONMENT, dict(edited.EDITS)), id=f"{edited.ENVIRONMENT}-edited"),
    *(pytest.param((name, {}), marks=pytest.mark.exhaustive, id=name) for name in ENVIRONMENTS if name not in STANDING),
]
AUTO_MODE = {"eks.auto_mode": True, "network.endpoints": ["s3", "ecr.api"]}
CACHED = {"storage.checkpoint_bucket": {}, "storage.compile_cache": {}}
SCRATCH = {
    "storage.lustre.deployment_type": "scratch_2",
    "storage.lustre.capacity_gib": 7200,
    "storage.lustre.throughput_mbps_per_tib": None,
}
TIERING = {
    "storage.lustre": {"availability_zone": "usw2-az4", "storage_type": "intelligent_tiering"},
    "storage.checkpoints": None,
}
SHARED = {
    "storage.efs": {"access_points": [{"name": "home", "path": "/home"}], "backup": True},
    "storage.checkpoint_bucket": {},
    "storage.s3_files": {},
    "workstations.0.dlami": "base_amazon_linux_2023",
    "workstations.0.virtual_environment": None,
    "workstations.0.efs": ["home"],
    "storage.lustre": {"availability_zone": "usw2-az1", "capacity_gib": 1200},
    "workstations.0.lustre": True,
}
IMAGE_CACHE = {"eks.image_cache": True}
BUCKET_ACCESS = {
    "eks.namespaces": [{"name": "default", "bucket_access": [{"service_account": "trainer", "access": "write"}]}]
}
SOFTWARE = {
    "eks.addons": dict.fromkeys(
        (
            "aws_load_balancer_controller",
            "cloudwatch_observability",
            "ebs_csi_driver",
            "efs_csi_driver",
            "kubeflow_trainer",
            "mountpoint_s3_csi_driver",
            "neuron_monitor",
        ),
        True,
    ),
    "eks.node_groups.1.node_repair": False,
    "eks.namespaces": [{"name": "default", "claims": ["lustre", "datasets", "s3-files"]}],
    "storage.s3_files": {},
    "eks.node_groups.1.queue": "training",
    "storage.compile_cache": {},
    "storage.express": {"availability_zone": "usw2-az4"},
    "storage.lustre.maintenance_window": "7:03:30",
    "eks.chart_values": {"neuron-helm-chart": {"npd": {"nodeRecovery": {"enabled": True}}}},
}
"""All that brings a role of its own, or objects."""

TEAMS = with_teams()
"""A stack of manifests, and access entries without a policy."""
BUDGETS = {
    "eks.node_groups.1.queue": "training",
    "eks.node_groups.1.team": "research",
    "teams": [
        {
            "name": "research",
            "members": ["arn:aws:iam::111122223333:role/research"],
            "namespaces": [{"name": "research"}],
            "budget": {
                "usd_month": 300000,
                "notify": ["leads@example.com"],
                "topic_arn": "arn:aws:sns:us-west-2:111122223333:cost",
            },
        }
    ],
}
"""Budgets are in a stack of their own."""

PROTECTED = {
    "storage.checkpoint_bucket.object_lock": {"mode": "compliance", "days": 7},
    "storage.checkpoint_bucket.replication": {
        "bucket": "checkpoints-replica",
        "region": "us-east-2",
        "account": "444455556666",
        "key_arn": "arn:aws:kms:us-east-2:444455556666:key/1234abcd-12ab-34cd-56ef-1234567890ab",
        "delete_markers": True,
        "time_control": True,
    },
    "storage.homes": [{"name": "alice", "availability_zone": "usw2-az4", "size_gib": 100}],
    "storage.lustre.sync": None,
    "storage.efs": {"access_points": [{"name": "home", "path": "/home"}]},
    "storage.backup": {
        "resources": ["homes", "lustre", "checkpoint_bucket", "efs"],
        "rules": [
            {"name": "daily", "schedule": "cron(0 5 ? * * *)", "delete_after_days": 35},
            {"name": "monthly", "schedule": "cron(0 5 1 * ? *)", "delete_after_days": 365, "cold_after_days": 30},
        ],
        "vault_lock": {"min_days": 7, "max_days": 365, "changeable_days": 14},
    },
}
"""All that protects data."""


def also(name: str, edits: dict[str, Any], what: str) -> Any:
    """A case in addition to the shipped environments, with parts that none of them has."""
    return pytest.param((name, edits), id=f"{name}-{what}")


CASES = [
    *SHIPPED,
    also("train-trn1", AUTO_MODE | IMAGE_CACHE | BUCKET_ACCESS, "auto-mode"),
    also("train-trn1", SOFTWARE, "software"),
    also("train-trn1", PROTECTED, "protected"),
    also("train-trn1", ALL_EXISTING, "existing"),
    also("workstation", CACHED, "compile-cache"),
    also("train-trn1", TIERING, "intelligent-tiering"),
    also("train-trn1", SCRATCH, "scratch"),
    also("workstation", SHARED, "efs"),
    also("train-trn1", TEAMS, "teams"),
    also("storage-kinds", {}, "golden"),
    also("slurm-storage", {}, "golden"),
    also("train-trn1", BUDGETS, "budgets"),
]
"""Cases of cfn-lint, cdk-nag and CDK's validation."""
