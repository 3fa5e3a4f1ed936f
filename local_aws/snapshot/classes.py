"""The classes and functions that a snapshot may name: those that hold the state of moto and of this package.

Objects of them are made without their constructors, and what may be called is listed by name, so that a file of another
author runs no code when it is restored, nor when its state is read.
"""

from __future__ import annotations

import collections
import contextlib
import importlib
import re
import sys
from types import CodeType, FunctionType, MethodType
from typing import Any

from moto.core.responses import BaseResponse

from local_aws.snapshot.archive import SnapshotError

MODULES = re.compile(
    r"moto\.(?!(?:core|cloudformation|stepfunctions\.parser|utilities\.docker_utilities)\b|moto_api|moto_server|moto_proxy)"
    r"\w+(\.\w+)*"
    r"|moto\.core\.(base_backend|common_models|types|utils|common_types)"
    r"|local_aws\.(cloudformation|engine|knowledge|launch|running_capacity|services)(\.\w+)*"
    r"|local_aws\.custom_resources\.kubernetes_state"
    r"|neuron_cluster\.catalog\.frozen_map",
    re.ASCII,
)
"""Not moto's CloudFormation, whose templates are YAML that makes any object (the engine replaces it), nor what starts
programs.
"""
BUILT_IN: dict[str, type] = {
    f"{each.__module__}:{each.__qualname__}": each
    for each in (dict, list, set, str, int, float, bool, tuple, collections.OrderedDict, collections.defaultdict)
}
"""Classes that a ``defaultdict`` calls, and of which state has subclasses."""
CLASS_VALUES = frozenset(
    {
        "local_aws.cloudformation.template:Template",
        "moto.apigatewaymanagementapi.models:Connection",
        "moto.meteringmarketplace.models:CustomerDeque",
        "moto.meteringmarketplace.models:ResultDeque",
        "moto.sdb.models:FakeItem",
        *(
            f"moto.rds.models:{name}"
            for name in (
                *("DBCluster", "DBClusterParameterGroup", "DBClusterSnapshot", "DBInstance", "DBParameterGroup"),
                *("DBProxy", "DBSecurityGroup", "DBShardGroup", "DBSnapshot", "DBSubnetGroup", "EventSubscription"),
                *("ExportTask", "GlobalCluster", "OptionGroup"),
            )
        ),
    }
)
"""Classes that state has as values, in addition to those of ``BUILT_IN``."""
FUNCTIONS = frozenset(
    {
        "moto.awslambda.models:LambdaStorage.__init__.<locals>.<lambda>",
        "moto.lakeformation.models:default_settings",
        "moto.ssm.models:SimpleSystemManagerBackend.__init__.<locals>.<lambda>",
    }
)
"""Functions that state has: what a ``defaultdict`` calls, without arguments."""
METHODS = {
    f"moto.ec2.models.security_groups:{name}": re.compile(r"filter_\w+", re.ASCII)
    for name in ("SecurityGroup", "SecurityGroupRule")
}
"""Names of the methods that state has as values, by their class."""
NEVER = (BaseException, BaseResponse, type)
LOCALS = ".<locals>."


def name_of(kind: type) -> str | None:
    """The name of the class of an object; None when a snapshot may not have it."""
    name = f"{kind.__module__}:{kind.__qualname__}"
    return name if BUILT_IN.get(name) is kind or _is_allowed(kind, name) else None


def value_name(found: Any) -> str | None:
    """The name of a class or function that is a value; None when a snapshot may not have it."""
    name = f"{found.__module__}:{found.__qualname__}"
    if isinstance(found, type):
        return name if BUILT_IN.get(name) is found or name in CLASS_VALUES else None
    if (
        name not in FUNCTIONS
        or MODULES.fullmatch(found.__module__) is None
        or found.__closure__ is not None
        or found.__defaults__
    ):
        return None
    numbered = f"{name}:{found.__code__.co_firstlineno}"
    with contextlib.suppress(SnapshotError):
        return numbered if function_named(numbered).__code__ is found.__code__ else None
    return None


def _is_allowed(found: type, name: str) -> bool:
    if MODULES.fullmatch(found.__module__) is None or issubclass(found, NEVER):
        return False
    return _found(sys.modules.get(found.__module__), name.partition(":")[2]) is found


def value_class(name: str) -> type:
    """A class that is a value. Raises SnapshotError for one that may not be."""
    if name not in BUILT_IN and name not in CLASS_VALUES:
        raise _unknown(name)
    return class_named(name)


def may_be_factory(found: Any) -> bool:
    """Whether a ``defaultdict`` may call it."""
    return found is None or (isinstance(found, type | FunctionType) and value_name(found) is not None)


def method_named(owner: Any, name: str) -> MethodType:
    """Raises SnapshotError for a method that state does not have."""
    kind = f"{type(owner).__module__}:{type(owner).__qualname__}"
    function = getattr(type(owner), name, None)
    pattern = METHODS.get(kind)
    if pattern is None or pattern.fullmatch(name) is None or not isinstance(function, FunctionType):
        raise _unknown(f"{kind}.{name}")
    return MethodType(function, owner)


def class_named(name: str, base: type = object) -> type:
    """Raises SnapshotError for one that does not exist, does not extend ``base``, or may not be in a snapshot."""
    if name in BUILT_IN and issubclass(BUILT_IN[name], base):
        return BUILT_IN[name]
    module, _, path = name.partition(":")
    found = _found(_module(module), path)
    if not isinstance(found, type) or not issubclass(found, base) or not _is_allowed(found, name):
        raise _unknown(name)
    return found


def function_named(name: str) -> FunctionType:
    """One of FUNCTIONS, which may be without a closure in another one, found by its first line.

    Raises SnapshotError for any other.
    """
    module, _, rest = name.partition(":")
    path, _, line = rest.rpartition(":")
    if f"{module}:{path}" not in FUNCTIONS:
        raise _unknown(name)
    loaded = _module(module)
    outer, *inner = path.split(LOCALS)
    function = _found(loaded, outer)
    if not isinstance(function, FunctionType) or function.__module__ != module:
        raise _unknown(name)
    if not inner:
        return function
    for code in _codes_in(function.__code__):
        if code.co_qualname == path and str(code.co_firstlineno) == line and not code.co_freevars:
            return FunctionType(code, vars(loaded), inner[-1])
    raise _unknown(name)


def _codes_in(code: CodeType) -> list[CodeType]:
    found = [each for each in code.co_consts if isinstance(each, CodeType)]
    return [*found, *(deeper for each in found for deeper in _codes_in(each))]


def _module(name: str) -> Any:
    if MODULES.fullmatch(name) is None:
        raise _unknown(name)
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise _unknown(name) from error


def _found(place: Any, path: str) -> Any:
    for part in path.split("."):
        place = vars(place).get(part) if hasattr(place, "__dict__") else None
    return place


def _unknown(name: str) -> SnapshotError:
    return SnapshotError(
        f"the snapshot has objects of {name!r}, which this version does not have",
        "restore it with the version of the toolkit that wrote it",
    )
