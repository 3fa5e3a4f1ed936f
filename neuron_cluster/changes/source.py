"""The part of a provider that `diff` and `deploy` call about its resources."""

# ruff: noqa: ARG002 - the defaults use no argument

from __future__ import annotations

import functools
import importlib
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar

from neuron_cluster.findings.discovery import discover_classes
from neuron_cluster.protocol.registry import registered

if TYPE_CHECKING:
    from local_aws.cloudformation.values import Address
    from neuron_cluster.changes.comparison import Comparison
    from neuron_cluster.changes.stack_set import StackSet
    from neuron_cluster.changes.summary.deployed_machines import DeployedMachines
    from neuron_cluster.changes.summary.node_change import NodeChange
    from neuron_cluster.protocol.resource_kind import ResourceKind


class ChangeSource:
    """One class of the provider's ``change_package``, where it is found. Every default adds nothing."""

    id: ClassVar[str]
    """Key of its section of the file."""
    second_update: ClassVar[str] = ""
    """The change of the second of two updates, where ``held_back`` requires one."""

    def resource_kinds(self) -> tuple[ResourceKind, ...]:
        """CloudFormation types that only its stacks have, with their words and keys of the file."""
        return ()

    def node_changes(self, comparison: Comparison) -> Iterator[tuple[Address, NodeChange]]:
        """Yields the changes of its compute groups, each with its resource."""
        yield from ()

    def machines(self, stacks: StackSet) -> Iterator[DeployedMachines]:
        """Its compute groups as these stacks have them."""
        yield from ()

    def principals(self, stacks: StackSet) -> Iterator[tuple[str, str]]:
        """Who may use what it runs, and with which policies."""
        yield from ()

    def endpoints(self, stacks: StackSet) -> Iterator[tuple[str, str]]:
        """Where its endpoints answer."""
        yield from ()

    def held_back(self, comparison: Comparison, address: Address) -> tuple[str, ...]:
        """Properties that keep their deployed values in the first of two updates; none where one update does it."""
        return ()


def change_packages() -> tuple[str, ...]:
    """Returns the change packages of the registered providers."""
    return tuple(each.change_package for each in registered() if each.change_package is not None)


def change_sources() -> tuple[ChangeSource, ...]:
    """One of each registered provider that has one."""
    return _sources_in(change_packages())


def registered_resource_kinds() -> Mapping[str, ResourceKind]:
    """Returns the resource kinds of the registered providers, by CloudFormation type."""
    return {kind.type: kind for source in change_sources() for kind in source.resource_kinds()}


@functools.cache
def _sources_in(packages: tuple[str, ...]) -> tuple[ChangeSource, ...]:
    return discover_classes([importlib.import_module(name) for name in packages], ChangeSource)
