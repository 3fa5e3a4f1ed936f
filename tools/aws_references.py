"""AWS's pages on operations, error codes and resource types, and which error codes they document."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
from moto.core.utils import get_service_model
from msgspec import Struct

TYPES = "https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-"


class Reference(Struct, frozen=True):
    """One service in ``aws_references.yaml``."""

    reference: str
    errors: str = ""
    codes: tuple[str, ...] = ()


@functools.cache
def references() -> Mapping[str, Reference]:
    """Returns the references by botocore's name of the service."""
    path = Path(__file__).with_name("aws_references.yaml")
    return msgspec.yaml.decode(path.read_bytes(), type=dict[str, Reference])


def page_of(name: str) -> str:
    """The page of an operation, ``eks:CreateAddon``, of all, ``ec2:*``, or of a type, ``AWS::EKS::Addon``."""
    if "::" in name:
        _, service, kind = name.lower().split("::")
        return f"{TYPES}{service}-{kind}.html"
    service, _, operation = name.partition(":")
    row = references()[service]
    return row.errors if operation == "*" else f"{row.reference}{operation}.html"


@functools.cache
def operation_names(service: str) -> Sequence[str]:
    """The operations that botocore's model of the service has, and ``*`` for all of them."""
    return [*get_service_model(service).operation_names, "*"]


@functools.cache
def modelled_codes(name: str) -> frozenset[str]:
    """The error codes that botocore's model of an operation has, as they are answered."""
    service, _, operation = name.partition(":")
    if operation == "*":
        return frozenset()
    shapes = get_service_model(service).operation_model(operation).error_shapes
    return frozenset(shape.error_code for shape in shapes)


def documents(name: str, code: str) -> bool:
    """Whether an operation's page names the code, or the service's page of error codes does."""
    return code in modelled_codes(name) or code in references()[name.partition(":")[0]].codes
