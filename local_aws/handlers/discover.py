"""Finds every resource type this local AWS can make: the concrete providers in this folder."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator, Mapping
from types import ModuleType

from local_aws import handlers
from local_aws.engine.provider import ResourceProvider
from local_aws.handlers.generic import GenericHandler
from local_aws.resource_types.binding import bindings


def discover_providers() -> Mapping[str, ResourceProvider]:
    """One provider per CloudFormation type name. Two for one type are a mistake of ours: RuntimeError."""
    providers: dict[str, ResourceProvider] = {}
    for module in _modules():
        for provider_class in _provider_classes(module):
            type_name = provider_class.type_name
            if type_name in providers:
                first = type(providers[type_name]).__qualname__
                raise RuntimeError(f"{first} and {provider_class.__qualname__} both provide {type_name}")
            providers[type_name] = (
                provider_class(type_name, bindings()[type_name])
                if issubclass(provider_class, GenericHandler)
                else provider_class()
            )
    for type_name in bindings().keys() - providers.keys():
        providers[type_name] = GenericHandler(type_name, bindings()[type_name])
    overruled = [name for name in bindings() if not isinstance(providers[name], GenericHandler)]
    if overruled:
        raise RuntimeError(f"a binding and a class that does not follow it both provide {', '.join(overruled)}")
    return providers


def _modules() -> Iterator[ModuleType]:
    for module in pkgutil.iter_modules(handlers.__path__, f"{handlers.__name__}."):
        yield importlib.import_module(module.name)


def _provider_classes(module: ModuleType) -> Iterator[type[ResourceProvider]]:
    """Classes that the module defines itself, not those it imports; one without a type name is a base class."""
    for member in vars(module).values():
        if (
            inspect.isclass(member)
            and issubclass(member, ResourceProvider)
            and not inspect.isabstract(member)
            and hasattr(member, "type_name")
            and member.__module__ == module.__name__
        ):
            yield member
