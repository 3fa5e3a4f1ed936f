"""Properties that cannot change in place."""

from __future__ import annotations

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from tests.every_case import every_case

CATALOG = load_catalog()


@pytest.mark.parametrize(
    ("type_name", "path", "create_only"),
    [
        ("AWS::EC2::Subnet", ("AvailabilityZoneId",), True),
        ("AWS::EC2::Subnet", ("MapPublicIpOnLaunch",), False),
        ("AWS::EKS::Nodegroup", ("InstanceTypes",), True),
        ("AWS::EKS::Nodegroup", ("ScalingConfig",), False),
        ("AWS::EKS::Cluster", ("AccessConfig", "BootstrapClusterCreatorAdminPermissions"), True),
        ("AWS::EKS::Cluster", ("AccessConfig", "AuthenticationMode"), False),
        ("AWS::EC2::PlacementGroup", ("Tags",), True),
        ("AWS::FSx::FileSystem", ("SubnetIds",), True),
        ("AWS::FSx::FileSystem", ("LustreConfiguration", "DeploymentType"), True),
        ("AWS::FSx::FileSystem", ("StorageType",), True),
        ("AWS::FSx::FileSystem", ("StorageCapacity",), False),
    ],
)
def test_create_only(type_name, path, create_only):
    assert (path in CATALOG.create_only_properties(type_name)) is create_only


def test_type_without_a_schema_has_none():
    assert CATALOG.create_only_properties("Custom::Thing") == frozenset()
    assert CATALOG.resource_schemas.get("Custom::Thing") is None


def test_hand_kept_rows_add_to_a_schema_and_repeat_nothing():
    """A row that the schema has learnt meanwhile is to be removed."""
    for name, row in CATALOG.beyond_schemas.by_name.items():
        assert not set(row.create_only) & set(CATALOG.resource_schemas[name].create_only)


@every_case("schema", CATALOG.resource_schemas.rows, ids=lambda schema: schema.name)
def test_schema_names_what_identifies_the_resource(schema):
    assert schema.primary_identifier
    assert not set(schema.create_only) & set(schema.read_only) - set(schema.primary_identifier)
