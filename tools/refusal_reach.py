"""What a refusal answers: the API operations, or the resource types of CloudFormation, whose code leads to it."""

from __future__ import annotations

import ast
import functools
import importlib
import pkgutil
from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import Any

from aws_references import operation_names
from source_graph import PACKAGE, Place, SourceGraph

from local_aws import services
from local_aws.guards import GUARDS
from local_aws.handlers.discover import discover_providers
from local_aws.service import OPERATIONS

FRONT_DOOR = (f"{PACKAGE}.http.front_door", "FrontDoor._answer")
MOTO_NAMES = {"awslambda": "lambda"}
"""moto's packages that are not called as botocore calls the service."""


@functools.cache
def source_graph() -> SourceGraph:
    return SourceGraph()


@functools.cache
def reach() -> dict[Place, frozenset[str]]:
    """By function, what leads to it: ``eks:CreateAddon``, ``AWS::SSM::Parameter``. Types stand for ``handlers/``."""
    graph = source_graph()
    found: dict[Place, set[str]] = {}
    for start, names in _operations(graph):
        for place in _reached(graph, [start], set()):
            found.setdefault(place, set()).update(names)
    for name, provider in discover_providers().items():
        own = set(_methods(graph, *graph.bases((type(provider).__module__, type(provider).__qualname__))))
        for place in _reached(graph, own, set(_methods(graph, *graph.classes)) - own):
            found.setdefault(place, set()).add(name)
    return {place: frozenset(names) for place, names in found.items()}


def _reached(graph: SourceGraph, starts: Iterable[Place], seen: set[Place]) -> set[Place]:
    """All that the functions come to, but those that were seen."""
    reached: set[Place] = set()
    left = set(starts) - seen
    while left:
        reached |= left
        left = {used for place in left for used in graph.uses(place)} - reached - seen
    return reached


def _methods(graph: SourceGraph, *classes: Place) -> Iterator[Place]:
    """Those of classes of ``handlers/``: one type's code does not come to another one's."""
    for module, name in classes:
        if module.startswith(f"{PACKAGE}.handlers."):
            members = (each.name for each in graph.classes[module, name].body if isinstance(each, ast.FunctionDef))
            yield from ((module, f"{name}.{member}") for member in members)


def _operations(graph: SourceGraph) -> Iterator[tuple[Place, Iterable[str]]]:
    for module in pkgutil.walk_packages(services.__path__, f"{services.__name__}."):
        importlib.import_module(module.name)
    ours = [*OPERATIONS.items(), *((key, check) for key, checks in GUARDS.items() for check in checks)]
    for (service, name), function in ours:
        yield (function.__module__, function.__qualname__), [f"{service}:{name}"]
    yield FRONT_DOOR, sorted(f"{service}:{name}" for service, name in {*OPERATIONS, *GUARDS})
    for place, node in graph.functions.items():
        for decorator in node.decorator_list:
            if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "override":
                yield place, _overridden(importlib.import_module(place[0]), decorator)


def _overridden(module: ModuleType, decorator: ast.Call) -> list[str]:
    """The operation that a method of moto answers, which is called like it: ``release_address``, ReleaseAddress."""
    owner: Any = getattr(module, ast.unparse(decorator.args[0]))
    package = owner.__module__.split(".")[1]
    service = MOTO_NAMES.get(package, package)
    wanted = ast.literal_eval(decorator.args[1]).replace("_", "")
    return [f"{service}:{name}" for name in operation_names(service) if name.lower() == wanted]
