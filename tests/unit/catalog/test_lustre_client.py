"""Lustre clients: each image of the catalog that Kubernetes or a DLAMI runs has one, for the version that is built."""

from __future__ import annotations

from neuron_cluster.catalog.catalog import load_catalog

CATALOG = load_catalog()


def test_every_image_of_a_supported_instance_type_mounts_the_version_that_is_built() -> None:
    versions = {row.recommended_version for row in CATALOG.lustre_deployments}
    names = {row.eks_ami_type for row in CATALOG.instance_types if row.eks_ami_type is not None}
    systems = {row.operating_system for row in map(CATALOG.ami_types.get, names) if row is not None}
    assert systems == {"Amazon Linux 2023"}
    for system in systems:
        client = CATALOG.lustre_clients.get(system)
        assert client is not None
        assert versions <= set(client.servers)


def test_the_oldest_version_has_no_client_on_newer_systems() -> None:
    old = {row.name: "2.10" in row.servers for row in CATALOG.lustre_clients}
    assert old == {
        "Amazon Linux 2023": False,
        "Amazon Linux 2": True,
        "Ubuntu 24.04": False,
        "Ubuntu 22.04": True,
        "Bottlerocket": False,
    }


def test_every_dlami_has_an_operating_system_with_a_client() -> None:
    assert [row.name for row in CATALOG.dlamis if CATALOG.lustre_clients.get(row.operating_system) is None] == []


def test_an_unknown_system_has_none() -> None:
    assert CATALOG.lustre_clients.get("Ubuntu 26.04") is None
