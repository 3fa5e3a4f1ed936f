"""The IAM roles of an environment, with their policies and the pods that get them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from local_aws.cloudformation.values import Address
from neuron_cluster.access.errors import PolicyError
from neuron_cluster.access.linked_policies import LinkedPolicies
from neuron_cluster.access.statement import Statement
from neuron_cluster.catalog.aws_managed_policy import AwsManagedPolicy
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.frozen_map import FrozenMap

ROLE = "AWS::IAM::Role"
INLINE_POLICIES = ("AWS::IAM::Policy", "AWS::IAM::RolePolicy")
FSX_ROLE = "AWSServiceRoleForFSxS3Access"
FSX_ROLE_PATH = "aws-service-role/s3.data-source.lustre.fsx.amazonaws.com"
MANAGED_POLICY = "AWS::IAM::ManagedPolicy"


class Pods(Struct, frozen=True):
    """Pods that get a role through EKS Pod Identity, with what their session tags have."""

    namespace: str
    service_account: str
    cluster: str
    has_tags: bool

    @property
    def label(self) -> str:
        return f"{self.namespace}/{self.service_account}"


class Role(Struct, frozen=True, kw_only=True):
    """One role; ``statements`` are those of its policies that can concern S3 or KMS."""

    stack: str
    logical_id: str
    arn: str
    description: str
    statements: tuple[Statement, ...]
    boundary: tuple[Statement, ...] | None
    boundary_not_known: str
    """The ARN of a permissions boundary that is outside of the templates: it can only take permissions away."""
    pods: tuple[Pods, ...]
    tags: FrozenMap[str, str] = FrozenMap()

    @property
    def name(self) -> str:
        return f"{self.stack}/{self.logical_id}"


def roles_of(policies: LinkedPolicies, catalog: Catalog) -> tuple[Role, ...]:
    """All roles of the templates. Raises ``PolicyError`` for a policy that is not known."""
    inline = list(policies.resources(*INLINE_POLICIES))
    managed = {
        policies.name(address): (address, properties) for address, _, properties in policies.resources(MANAGED_POLICY)
    }
    pods = list(_pods(policies, catalog))
    return (
        *(
            _role(policies, address, properties, inline, managed, pods, catalog)
            for address, _, properties in policies.resources(ROLE)
        ),
        *_roles_of_fsx(policies, catalog),
    )


def _roles_of_fsx(policies: LinkedPolicies, catalog: Catalog) -> Iterator[Role]:
    """The service-linked role of a file system that is linked to a bucket, which no template has."""
    for address, _, properties in policies.resources("AWS::FSx::DataRepositoryAssociation"):
        bucket = str(properties["DataRepositoryPath"]).removeprefix("s3://").partition("/")[0]
        yield Role(
            stack=address.stack,
            logical_id=FSX_ROLE,
            arn=f"arn:{policies.partition}:iam::{policies.account}:role/{FSX_ROLE_PATH}/{FSX_ROLE}_fs-0123456789abcdef0",
            description="FSx, which synchronizes the Lustre file system; AWS creates the role and its policy",
            statements=_written_by_aws(policies, catalog.aws_managed_policies[FSX_ROLE], bucket),
            boundary=None,
            boundary_not_known="",
            pods=(),
        )


Managed = Mapping[str, tuple[Address, Mapping[str, Any]]]


def _role(
    policies: LinkedPolicies,
    address: Address,
    properties: Mapping[str, Any],
    inline: list[tuple[Address, str, Mapping[str, Any]]],
    managed: Managed,
    pods: list[tuple[str, Pods]],
    catalog: Catalog,
) -> Role:
    name, arn = policies.name(address), policies.arn(address)
    statements = [
        *(found for each in properties.get("Policies", []) for found in _inline(policies, each)),
        *(
            found
            for _, _, each in inline
            if name in each.get("Roles", []) or each.get("RoleName") == name
            for found in _inline(policies, each)
        ),
        *(
            found
            for each in properties.get("ManagedPolicyArns", [])
            for found in _managed(policies, each, managed, catalog)
        ),
        *(
            found
            for each, (_, its) in managed.items()
            if name in its.get("Roles", [])
            for found in _managed(policies, each, managed, catalog)
        ),
    ]
    boundary = properties.get("PermissionsBoundary")
    is_known = boundary is not None and (boundary in managed or _aws_managed(boundary, catalog) is not None)
    return Role(
        stack=address.stack,
        logical_id=address.logical_id,
        arn=arn,
        description=str(properties.get("Description", "")),
        statements=tuple(statements),
        boundary=tuple(_managed(policies, boundary, managed, catalog)) if is_known else None,
        boundary_not_known="" if is_known or boundary is None else str(boundary),
        pods=tuple(each for role, each in pods if role == arn),
        tags=FrozenMap({str(each.get("Key")): str(each.get("Value")) for each in properties.get("Tags", [])}),
    )


def _inline(policies: LinkedPolicies, properties: Mapping[str, Any]) -> tuple[Statement, ...]:
    return policies.statements(properties.get("PolicyDocument"), str(properties.get("PolicyName")))


def _managed(policies: LinkedPolicies, arn: Any, managed: Managed, catalog: Catalog) -> Iterator[Statement]:
    if arn in managed:
        address, properties = managed[arn]
        yield from policies.statements(properties.get("PolicyDocument"), address.logical_id)
        return
    row = _aws_managed(arn, catalog)
    if row is None:
        hint = "add a row to the catalog's aws_managed_policies.yaml" if ":aws:policy/" in str(arn) else ""
        raise PolicyError(f"the statements of the managed policy {arn} are not known", hint=hint)
    yield from _written_by_aws(policies, row)


def _written_by_aws(policies: LinkedPolicies, row: AwsManagedPolicy, bucket: str = "") -> tuple[Statement, ...]:
    names = {"<partition>": policies.partition, "<bucket>": bucket}
    written = [
        {
            "Effect": "Allow",
            "Action": list(each.actions),
            "Resource": [_replaced(resource, names) for resource in each.resources],
            "Condition": {operator: dict(keys) for operator, keys in each.conditions.items()},
        }
        for each in row.statements
    ]
    return policies.statements({"Version": "2012-10-17", "Statement": written}, row.name.rpartition("/")[2])


def _replaced(text: str, names: Mapping[str, str]) -> str:
    for name, value in names.items():
        text = text.replace(name, value)
    return text


def _aws_managed(arn: Any, catalog: Catalog) -> AwsManagedPolicy | None:
    """The row of a policy of AWS."""
    _, is_of_aws, name = str(arn).partition(":iam::aws:policy/")
    return catalog.aws_managed_policies.get(name) if is_of_aws else None


def _pods(policies: LinkedPolicies, catalog: Catalog) -> Iterator[tuple[str, Pods]]:
    """ARN of the role, and the pods that get it."""
    for _, _, each in policies.resources("AWS::EKS::PodIdentityAssociation"):
        has_tags = each.get("DisableSessionTags") not in (True, "true")
        yield each["RoleArn"], Pods(each["Namespace"], each["ServiceAccount"], str(each["ClusterName"]), has_tags)
    for _, _, each in policies.resources("AWS::EKS::Addon"):
        row = catalog.managed_addons.get(each["AddonName"])
        namespace = each.get("NamespaceConfig", {}).get("Namespace") or (row.namespace if row is not None else "")
        for association in each.get("PodIdentityAssociations", []):
            found = Pods(namespace, association["ServiceAccount"], str(each["ClusterName"]), has_tags=True)
            yield association["RoleArn"], found
