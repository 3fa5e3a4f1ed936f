"""The matrix of every environment with goldens: what is allowed is written here, and all else is denied."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from golden_paths import golden_environments

from neuron_cluster.access.matrix import On
from tests.every_run import in_every_run

from .templates import PREFIXES, allowed_in, golden_matrix, matrix_of

ENVIRONMENTS = golden_environments()
EVERY, NO_PREFIX = PREFIXES, (None,)
DATA = ("s3:ListBucket", "s3:GetObject", "s3:PutObject", "s3:AbortMultipartUpload", "s3:DeleteObject")
KEY = dict.fromkeys(("kms:Decrypt", "kms:GenerateDataKey"), NO_PREFIX)
FSX = {
    "AWSServiceRoleForFSxS3Access": {
        **dict.fromkeys((*DATA, "s3:GetObjectVersion"), EVERY),
        "s3:PutBucketNotification": NO_PREFIX,
        **KEY,
    }
}
"""FSx synchronizes the folder; AWS decides what its role can do."""
DRIVER = "Addonawsmountpoints3csidriverRoles3csidriversaRole"
CACHE, TEAM = ("compile-cache/",), ("teams/default/",)
READ, DECRYPT = ("s3:ListBucket", "s3:GetObject"), {"kms:Decrypt": NO_PREFIX}
STORAGE_KINDS = {
    "AddonawsefscsidriverRoleefscsinodesaRole19441708": DECRYPT,
    "Addonawsmountpoints3csidriverRoles3csidriversaRole39E484A7": {
        "s3express:CreateSession": NO_PREFIX,
        **dict.fromkeys(KEY, (None, None)),
    },
    "BackupRole4CD139C5": {
        **dict.fromkeys((*READ, "s3:GetObjectVersion"), EVERY),
        "s3:PutBucketNotification": NO_PREFIX,
        **DECRYPT,
    },
    "ReplicationRoleCCFDD102": {"s3:ListBucket": EVERY, **DECRYPT},
    "RoledefaultcompilecachereaderRole259D935E": {**dict.fromkeys(READ, CACHE), **DECRYPT},
    "RoledefaultcompilecachewriterRoleD42CAFDE": {
        **dict.fromkeys(READ, CACHE + TEAM),
        **dict.fromkeys(("s3:PutObject", "s3:AbortMultipartUpload"), CACHE),
        **KEY,
    },
    "RoledefaulttrainerRoleA557088B": {
        **dict.fromkeys(READ, CACHE + TEAM),
        **dict.fromkeys(("s3:PutObject", "s3:AbortMultipartUpload", "s3:DeleteObject"), TEAM),
        **KEY,
    },
    "S3FilesRoleA282D18F": KEY,
    "WorkstationaliceRole5BF1C702": {**dict.fromkeys(READ, CACHE), **DECRYPT},
}
"""The Mountpoint driver and S3 Files have objects of prefixes that are none of these; a session of the S3 Express
bucket and the key are for the whole bucket.
"""
TRAINERS = (
    "RolebiologystudentstrainerRole4565E54C",
    "RolebiologytrainerRoleCA03E9F4",
    "RolelanguagetrainerRoleA6606DB0",
    "RoleroboticstrainerRoleE7253446",
    "RolespeechtrainerRole72DA328D",
    "RolevisiontrainerRoleEC9DAFFD",
)
SERVING = {
    "RoleservingcompilecachereaderRoleDD8092CF": {**dict.fromkeys(READ, CACHE), **DECRYPT},
    "RoleservingcompilecachewriterRole46734C3D": {
        **dict.fromkeys((*READ, "s3:PutObject", "s3:AbortMultipartUpload"), CACHE),
        **KEY,
    },
    "RoleservingserverRoleF8DBECD4": {**dict.fromkeys(READ, CACHE), **DECRYPT},
    "RoleservingstoreRole8DE54AA9": {**dict.fromkeys(READ, CACHE), **KEY},
}
"""Weights are in the prefix of the namespace ``serving``, which is none of the prefixes here."""
TEAMS = {role: {**dict.fromkeys(READ, CACHE), **KEY} for role in TRAINERS}
"""Each writes to the prefix of its own namespace, which is none of the prefixes here."""
FINETUNING = {
    f"{DRIVER}39E484A7": DECRYPT,
    "RolefinetunetrainerRole668643E7": {**dict.fromkeys(READ, CACHE), **KEY},
}
"""Rights of a finetuning; of other prefixes the driver reads ``datasets/``; adapters are in the one of ``finetune``."""
SLURM = {
    "NodeRoleB5643E21": {**dict.fromkeys((*READ, "s3:PutObject", "s3:AbortMultipartUpload"), CACHE), **KEY},
}
"""Jobs write to ``slurm/`` too, which is none of the prefixes here."""
TRAINING_JOBS = {"Roleofshared2E44BBD5": SLURM["NodeRoleB5643E21"]}
"""Jobs write to ``sagemaker/`` too, which is none of the prefixes here."""
EXPECTED: dict[str, dict[str, Any]] = {
    "dev-inf2": {},
    "dev-trn2": {},
    "existing-vpc": {},
    "finetune-trn1": FINETUNING,
    "private-trn1": FSX,
    "research-teams": {**FSX, **TEAMS},
    "hyperpod-slurm-trn1": {},
    "hyperpod-teams": {},
    "hyperpod-trn2": FSX,
    "sagemaker-finetune": TRAINING_JOBS,
    "serve-inf1": {},
    "serve-trn2": SERVING,
    "slurm-storage": SLURM,
    "slurm-trn1": {},
    "slurm-trn2-block": {},
    "storage-kinds": STORAGE_KINDS,
    "train-east": FSX,
    "train-trn1": FSX,
    "train-trn1n": FSX,
    "train-trn2": FSX,
    "train-trn2u": FSX,
    "train-trn3": {},
    "train-west": FSX,
    "workstation": {},
}
WITHOUT_BUCKET = (
    *(
        "dev-inf2",
        "dev-trn2",
        "existing-vpc",
        "hyperpod-slurm-trn1",
        "serve-inf1",
        "slurm-trn1",
        "slurm-trn2-block",
    ),
    "workstation",
)
NEVER = {
    *("s3:DeleteObjectVersion", "s3:BypassGovernanceRetention", "s3:PutLifecycleConfiguration"),
    *("s3:PutBucketVersioning", "s3:PutBucketPolicy", "s3:PutReplicationConfiguration", "s3:DeleteBucket"),
    *("s3express:PutLifecycleConfiguration", "s3express:PutBucketPolicy", "s3express:DeleteBucket"),
    *("kms:CreateGrant", "kms:PutKeyPolicy", "kms:ScheduleKeyDeletion"),
}
"""Actions that destroy versions or change how they are kept: no role of an environment can do it."""


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_the_matrix_of_an_environment(environment: str) -> None:
    matrix = golden_matrix(environment)
    assert allowed_in(matrix) == EXPECTED[environment]
    assert bool(matrix.buckets) is (environment not in WITHOUT_BUCKET)


@pytest.mark.parametrize("environment", in_every_run(ENVIRONMENTS, ["research-teams", "storage-kinds", "workstation"]))
def test_every_cell_is_decided(environment: str) -> None:
    matrix = golden_matrix(environment)
    decided = {(cell.role.name, cell.pods, cell.bucket, cell.action, cell.prefix) for cell in matrix.cells}
    ons = [on for bucket in matrix.buckets for on in bucket.actions.values()]
    cells = sum(len(PREFIXES) if on in (On.OBJECTS, On.LISTING) else 1 for on in ons)
    sessions = sum(len(role.pods) or 1 for role in matrix.roles)
    assert len(decided) == len(matrix.cells) == cells * sessions


def test_no_expected_matrix_has_a_role_that_deletes_versions_or_changes_a_bucket() -> None:
    """And each environment has the expected one."""
    actions = {action for roles in EXPECTED.values() for allowed in roles.values() for action in allowed}
    assert "s3:DeleteObject" in actions
    assert actions & NEVER == set()


@pytest.mark.exhaustive
@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_no_role_deletes_versions_or_changes_bucket_and_key(environment: str) -> None:
    allowed = allowed_in(golden_matrix(environment))
    assert {(role, action) for role, actions in allowed.items() for action in actions if action in NEVER} == set()


@pytest.mark.parametrize(
    ("claims", "expected"),
    [
        (["lustre"], {}),
        (["lustre", "datasets"], {**dict.fromkeys(READ, ("datasets/",)), **DECRYPT}),
    ],
)
def test_the_mountpoint_driver_reads_the_prefix_of_claims_and_nothing_else(
    templates_of: Callable[..., Any], claims: list[str], expected: dict[str, Any]
) -> None:
    """All pods that mount a bucket share its role (docs/storage.md, "Access control: known limits")."""
    namespaces = [{"name": "default", "claims": claims}]
    edits = {"eks.addons": {"jobset": True, "mountpoint_s3_csi_driver": True}, "eks.namespaces": namespaces}
    made = templates_of("train-trn1", edits)
    stacks = {f"train-trn1-{part}": template for part, template in made.items()}
    matrix = matrix_of(stacks, (*PREFIXES, "datasets/"))
    found = {role.rstrip("0123456789ABCDEF"): actions for role, actions in allowed_in(matrix).items()}
    assert found.get(DRIVER, {}) == expected
    drivers = [role for role in matrix.roles if role.logical_id.startswith(DRIVER)]
    assert [pods.label for role in drivers for pods in role.pods] == ["kube-system/s3-csi-driver-sa"] * bool(expected)
