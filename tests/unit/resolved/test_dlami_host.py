"""The Neuron SDK release of a DLAMI: of the lock, else of the catalog, unknown for an AMI of the file."""

from __future__ import annotations

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.lock.model import Lock, LockedImage
from neuron_cluster.resolved.compute_group import ComputeGroup
from neuron_cluster.resolved.dlami_host import dlami_host
from neuron_cluster.resolved.scaling import ONE_MACHINE

KIND = "multi_framework_ubuntu_24_04"
IMAGE = "ami-0123456789abcdef0"
NAMED = LockedImage(IMAGE, "Deep Learning AMI Neuron (Ubuntu 24.04) 20261020", "2.33.0")


def locked(image: LockedImage) -> Lock:
    return Lock("station", "111122223333", "us-west-2", None, dlamis={KIND: image})


@pytest.mark.parametrize(
    ("lock", "pinned", "release", "doubt"),
    [
        (None, None, "2.32.0", "seen on 2026-10-03"),
        (locked(NAMED), None, "2.33.0", f"the date in the name of {IMAGE}"),
        (locked(LockedImage(IMAGE)), None, "2.32.0", "seen on 2026-10-03"),
        (locked(NAMED), IMAGE, None, "seen on 2026-10-03"),
    ],
    ids=["no lock", "lock", "lock of an earlier release", "AMI of the file"],
)
def test_the_release_of_a_dlami(lock: Lock | None, pinned: str | None, release: str | None, doubt: str) -> None:
    catalog = load_catalog()
    row = catalog.instance_types.get("trn1.2xlarge")
    assert row is not None
    group = ComputeGroup(
        path=("workstations", 0), name="nki1", provider="workstations", spec=None, instance_type=row,
        zone_ids=("usw2-az4",), scaling=ONE_MACHINE,
    )  # fmt: skip
    host = dlami_host(group, row, KIND, catalog.dlamis.get(KIND), catalog, lock, pinned=pinned)
    assert host.sdk == release
    assert doubt in (host.sdk_doubt or "")
    sdk = catalog.neuron_sdks.get(release or "2.32.0")
    assert sdk is not None
    assert host.driver == sdk.driver
