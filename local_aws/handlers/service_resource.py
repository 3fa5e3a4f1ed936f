"""A resource type made of calls to one service: what all of them share.

Every provider names the properties it carries over to the service. Any other one is refused, as an unknown
one is: a property that is dropped in silence makes a green deploy of something else than was asked for.
"""

from __future__ import annotations

import contextlib
import secrets
import string
from collections.abc import Iterator
from typing import Any

from botocore.exceptions import ClientError, ParamValidationError

from local_aws.engine.provider import Properties, ResourceContext, ResourceProvider, is_absence
from local_aws.engine.status_reasons import ResourceFailedError
from local_aws.handlers.property_constraints import constraint_violations, vendored_schema


class ServiceResource(ResourceProvider):
    """A provider that makes API calls of one service."""

    service: str
    """boto3's name of the service."""
    supported: frozenset[str]
    """Properties that reach the service."""
    required: frozenset[str] = frozenset()
    """Properties without which CloudFormation rejects the resource."""

    is_importable = True

    def client(self, context: ResourceContext) -> Any:
        return context.client(self.service)

    def check(self, context: ResourceContext, properties: Properties) -> None:
        """Raises ParamValidationError or ResourceFailedError for properties that the resource cannot have."""
        schema = vendored_schema(self.type_name)
        known = properties if schema is None else properties.keys() & schema["properties"].keys()
        if not_carried := sorted(set(known) - self.supported):
            raise ParamValidationError(
                report=f"{self.type_name}: this local AWS does not carry the property {', '.join(not_carried)}; "
                f"it carries {', '.join(sorted(self.supported))}"
            )
        if violations := constraint_violations(self.type_name, properties):
            message = "\n".join(violations)
            raise ResourceFailedError(
                f"Properties validation failed for resource {context.logical_id} with message:\n{message}"
            )
        missing = sorted(self.required - set(properties))
        if missing:
            raise ParamValidationError(report=f"{self.type_name}: required property {', '.join(missing)} is missing")


@contextlib.contextmanager
def rollback_on_error() -> Iterator[contextlib.ExitStack]:
    """A stack of callbacks that run, last first, only when the block raises."""
    with contextlib.ExitStack() as undo:
        yield undo
        undo.pop_all()


@contextlib.contextmanager
def ignore_not_found() -> Iterator[None]:
    """Lets pass a service's error that says that the thing is not there."""
    try:
        yield
    except ClientError as error:
        if not is_absence(error):
            raise


def present(properties: Properties, *names: str) -> dict[str, Any]:
    """Returns those of the named properties that are set."""
    return {name: properties[name] for name in names if properties.get(name) is not None}


SUFFIX_LENGTH = 12


def generated_name(context: ResourceContext, limit: int) -> str:
    """``<stack>-<logical id>-<12 characters>``, cut in the middle to ``limit`` characters as CloudFormation does.

    The end is random: a replacement exists for a while next to the one that it replaces.
    """
    suffix = "".join(secrets.choice(string.ascii_letters + string.digits) for _ in range(SUFFIX_LENGTH))
    room = limit - SUFFIX_LENGTH - 2
    stack = context.stack_name[: max(room // 2, room - len(context.logical_id))]
    logical = context.logical_id[: room - len(stack)]
    return f"{stack}-{logical}-{suffix}"
