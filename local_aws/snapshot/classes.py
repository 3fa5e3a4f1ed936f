"""The classes and functions that a snapshot may name: those that hold the state of moto and of this package.

Objects of them are made without their constructors, so that a file that somebody else wrote runs no code.
"""

from __future__ import annotations

import collections
import contextlib
import importlib
import re
import sys
from types import CodeType, FunctionType
from typing import Any

from moto.core.responses import BaseResponse

from local_aws.snapshot.archive import SnapshotError

MODULES = re.compile(
    r"moto\.(?!core\.|moto_api|moto_server|moto_proxy)\w+(\.\w+)*"
    r"|moto\.core\.(base_backend|common_models|types|utils|common_types)"
    r"|local_aws\.(cloudformation|engine|knowledge|launch|running_capacity|services|custom_resources)(\.\w+)*"
    r"|neuron_cluster\.catalog\.frozen_map",
    re.ASCII,
)
BUILT_IN: dict[str, type] = {
    f"{each.__module__}:{each.__qualname__}": each
    for each in (dict, list, set, str, int, float, bool, tuple, collections.OrderedDict, collections.defaultdict)
}
"""Classes that a ``defaultdict`` calls, and of which state has subclasses."""
NEVER = (BaseException, BaseResponse, type)
LOCALS = ".<locals>."


def name_of(found: Any) -> str | None:
    """The name of a class or function; None when a snapshot may not have it."""
    name = f"{found.__module__}:{found.__qualname__}"
    if isinstance(found, type):
        return name if BUILT_IN.get(name) is found or _is_allowed(found, name) else None
    if MODULES.fullmatch(found.__module__) is None or found.__closure__ is not None or found.__defaults__:
        return None
    numbered = f"{name}:{found.__code__.co_firstlineno}"
    with contextlib.suppress(SnapshotError):
        return numbered if function_named(numbered).__code__ is found.__code__ else None
    return None


def _is_allowed(found: type, name: str) -> bool:
    if MODULES.fullmatch(found.__module__) is None or issubclass(found, NEVER):
        return False
    return _found(sys.modules.get(found.__module__), name.partition(":")[2]) is found


def class_named(name: str) -> type:
    """Raises SnapshotError for one that does not exist or may not be in a snapshot."""
    if name in BUILT_IN:
        return BUILT_IN[name]
    module, _, path = name.partition(":")
    found = _found(_module(module), path)
    if not isinstance(found, type) or not _is_allowed(found, name):
        raise _unknown(name)
    return found


def function_named(name: str) -> FunctionType:
    """One of a module, or one without a closure that another one defines, found by its first line."""
    module, _, rest = name.partition(":")
    path, _, line = rest.rpartition(":")
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
