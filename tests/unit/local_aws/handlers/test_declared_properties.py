"""Properties that providers declare, compared with CloudFormation's own schemas (those of cfn-lint)."""

from __future__ import annotations

from registry_schemas import resource_schema

from local_aws.handlers.discover import discover_providers
from local_aws.handlers.service_resource import ServiceResource
from tests.every_case import every_case

PROVIDERS = {name: each for name, each in discover_providers().items() if isinstance(each, ServiceResource)}
NOT_REQUIRED_OF_US = {
    "AWS::EKS": "the EKS providers leave it to the API's model",
    "AWS::FSx": "the FSx providers leave it to the API's model",
}


@every_case("type_name", sorted(PROVIDERS))
def test_carried_properties_exist_and_can_be_written(type_name: str) -> None:
    """A provider carries no property that CloudFormation does not know or only gives."""
    read_only = {path.removeprefix("/properties/") for path in resource_schema(type_name).get("readOnlyProperties", [])}
    assert PROVIDERS[type_name].supported <= set(resource_schema(type_name)["properties"]) - read_only


@every_case("type_name", sorted(name for name in PROVIDERS if name.rpartition("::")[0] not in NOT_REQUIRED_OF_US))
def test_required_properties_are_asked_for(type_name: str) -> None:
    """A template without a required property is refused before any call."""
    assert PROVIDERS[type_name].required >= set(resource_schema(type_name).get("required", []))
