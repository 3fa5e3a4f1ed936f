"""Finding the resource types."""

from __future__ import annotations

import sys
import types

import pytest

from local_aws.handlers import cloudformation, discover
from neuron_cluster.catalog.catalog import load_catalog


def test_each_type_has_one_provider_under_its_own_name():
    providers = discover.discover_providers()
    assert providers["AWS::CloudFormation::Stack"].__class__ is cloudformation.NestedStack
    assert all(provider.type_name == name for name, provider in providers.items())


def test_two_providers_of_one_type_are_a_mistake(monkeypatch):
    twin = types.ModuleType("twin")
    twin.Twin = type("Twin", (cloudformation.CdkMetadata,), {"__module__": "twin"})
    monkeypatch.setattr(discover, "_modules", lambda: iter([cloudformation, twin]))
    with pytest.raises(RuntimeError, match="CdkMetadata and Twin both provide AWS::CDK::Metadata"):
        discover.discover_providers()
    assert "twin" not in sys.modules


def test_every_type_has_its_schema():
    """Otherwise no change would ever replace a resource: run tools/refresh_create_only.py."""
    assert set(discover.discover_providers()) == set(load_catalog().resource_schemas.names)
