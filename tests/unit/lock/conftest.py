"""A lock with something in every section, and where a test may put it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from msgspec.structs import asdict

from neuron_cluster.lock.model import Lock, LockedAmiRelease, LockedArtifact, LockedImage
from neuron_cluster.providers.pcs.lock_part import PART, LockedSlurmImage

SLURM_IMAGE = ("ami-0123456789abcdef3", "ami-0123456789abcdef2", "base_ubuntu_24_04", "25.11", "1.5.1-1", "1.0.7")
DIGEST = f"sha256:{'0123456789abcdef' * 4}"
PROJECT = Path(__file__).parents[3]
sys.path.insert(0, str(PROJECT / "tools"))  # for finding_words


@pytest.fixture
def lock() -> Lock:
    return Lock(
        environment="dev-inf2",
        account="111122223333",
        region="us-west-2",
        kubernetes_version="1.35",
        ami_releases={
            "AL2023_x86_64_STANDARD": LockedAmiRelease("1.35.6-20260714", "ami-0123456789abcdef0"),
            "AL2023_x86_64_NEURON": LockedAmiRelease("1.35.6-20260714", "ami-0123456789abcdef1"),
        },
        dlamis={"base_ubuntu_24_04": LockedImage("ami-0123456789abcdef2")},
        amis={"ami-0123456789abcdef3": 75},
        addons={"vpc-cni": "v1.22.4-eksbuild.3", "coredns": "v1.14.2-eksbuild.4"},
        charts={"neuron-helm-chart": LockedArtifact("1.10.0", DIGEST), "efa": LockedArtifact("v0.5.30", None)},
        images={"registry.example/b/c:v1.0": None, "registry.example/a:1.0": DIGEST},
        lustre_metadata="none",
        parts={PART.key: asdict(LockedSlurmImage(*SLURM_IMAGE))},
    )


@pytest.fixture
def environment(tmp_path: Path) -> Path:
    """The file of a shipped environment in a folder of its own."""
    file = tmp_path / "dev-inf2.yaml"
    file.write_bytes((PROJECT / "environments" / "dev-inf2.yaml").read_bytes())
    return file
