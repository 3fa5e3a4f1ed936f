"""Whether a fault that a test orders can ever be injected: one that cannot would make the test pass for nothing."""

from __future__ import annotations

import difflib
from collections.abc import Collection
from typing import get_args

from botocore.exceptions import UnknownServiceError
from moto.core.model import ServiceModel
from moto.core.utils import get_service_model

from local_aws.engine.engine_context import CUSTOM_PREFIX, CUSTOM_RESOURCE
from local_aws.knowledge.current import instance_types


def require_operation(service: str, operation: str) -> ServiceModel:
    """The model of the service. Raises ValueError for a service or an operation that botocore does not know."""
    try:
        model = get_service_model(service)
    except UnknownServiceError as error:
        raise ValueError(
            f"there is no service {service!r}; a fault names it as boto3.client() does, such as 'ec2' or 'efs'"
        ) from error
    if operation not in model.operation_names:
        raise ValueError(f"{service} has no operation {operation!r}{_near(operation, model.operation_names)}")
    return model


def require_type(verb: str, verbs: object, type_name: str, known: Collection[str]) -> None:
    """Raises ValueError for a verb other than the ``verbs``, or a type that no stack of this local AWS makes."""
    if verb not in get_args(verbs):
        raise ValueError(f"a resource knows no {verb!r}; a fault meets one of {', '.join(get_args(verbs))}")
    custom = type_name == CUSTOM_RESOURCE or (type_name.startswith(CUSTOM_PREFIX) and not type_name.endswith("*"))
    made = [name for name in known if not name.startswith(CUSTOM_PREFIX)]
    if not custom and type_name not in made:
        raise ValueError(f"this local AWS makes no resource of the type {type_name!r}{_near(type_name, made)}")


def require_instance_type(name: str, available: int) -> None:
    """Raises ValueError for a type that the catalog does not have, or fewer machines than none."""
    if name not in instance_types():
        raise ValueError(f"the catalog has no instance type {name!r}{_near(name, instance_types())}")
    if available < 0:
        raise ValueError(f"EC2 has no machine or more, not {available}")


def require_times(times: int | None) -> None:
    """Raises ValueError for a fault that is injected less than once."""
    if times is not None and times < 1:
        raise ValueError(f"a fault is injected once or more, not {times} times")


def _near(given: str, known: Collection[str]) -> str:
    near = difflib.get_close_matches(given, known)
    return f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
