"""Reads the drift of an environment: its stacks, their resources, and what the next deploy does to each difference."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import Any

from msgspec.structs import replace

from local_aws.cloudformation.values import Address
from local_aws.resource_types.attachments import attached_types
from local_aws.resource_types.binding import bindings
from neuron_cluster.aws.deployed_stacks import DeployedStack, named, stacks_of_account, with_contents
from neuron_cluster.aws.reading import NotRead
from neuron_cluster.aws.resource_source import ResourceSource
from neuron_cluster.aws.session import Target
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.drift.batches import read_together
from neuron_cluster.drift.compare import Comparer, Part
from neuron_cluster.drift.deployed_values import DeployedResources
from neuron_cluster.drift.foreign import Foreign, foreign_resources
from neuron_cluster.drift.readings import Place, Readings
from neuron_cluster.drift.records import Drift, EnvironmentDrift, Uncompared, in_order
from neuron_cluster.drift.selection import Selection
from neuron_cluster.drift.tags import keys_that_decide_access

AT_A_TIME = 4
"""Calls at a time: no source has the rates of most services, and botocore tries again when throttled."""
NO_STACK = "CloudFormation does not list the stack"
OF_ANOTHER = NotRead("", "the stack is of something else: its description is not the one of this environment")
Templates = Mapping[str, Mapping[str, Any]]


class DeployedEnvironment:
    """The stacks of an environment with a reader of their resources."""

    def __init__(
        self,
        target: Target,
        account: str,
        names: Sequence[str],
        catalog: Catalog,
        source: ResourceSource | None = None,
        descriptions: Mapping[str, str] | None = None,
    ) -> None:
        """``source`` may have answers of an earlier reading.

        With ``descriptions`` by name, a stack with another one is of another tool, and is not read.
        """
        found = stacks_of_account(target)
        exports = {name: value for stack in found for name, value in stack.exports.items()}
        own = {stack.name: (descriptions or {}).get(stack.name, stack.description) for stack in found}
        self.stacks = {
            stack.name: with_contents(target, stack)
            if stack.description == own[stack.name]
            else replace(stack, template=OF_ANOTHER, resources=OF_ANOTHER)
            for stack in named(found, names)
        }
        self.source = source or ResourceSource(target, account)
        self.readings = Readings(self.source)
        self.resources = DeployedResources(self.stacks, exports, self.readings, catalog)

    @property
    def templates(self) -> Templates:
        return {
            name: dict(each.template) for name, each in self.stacks.items() if not isinstance(each.template, NotRead)
        }


def read_drift(
    environment: str, deployed: DeployedEnvironment, at: datetime, only: Selection | None = None
) -> EnvironmentDrift:
    """Every difference, or those of a part; nothing is changed.

    Resources that no stack has are listed only for the whole environment.
    """
    resources = deployed.resources
    addresses = [each for each in resources.addresses() if only is None or each in only]
    read_together(deployed.source, _places(resources, [*addresses, *_attached(resources, addresses)]))
    comparer = Comparer(resources, deployed.readings, keys_that_decide_access(deployed.templates.values()), only)
    with ThreadPoolExecutor(AT_A_TIME) as threads:
        rows = [place for place in _places(resources, addresses) if place.type in bindings()]
        list(threads.map(deployed.readings.row, rows))
        results = [each for each in threads.map(comparer.compared, addresses) if each is not None]
    foreign = foreign_resources(resources, deployed.source) if only is None else Foreign()
    drifts: list[Drift] = [drift for result in results for drift in result.drifts]
    parts = [part for result in results for part in result.parts]
    parts += [Part(each, "", reason) for each, reason in resources.unlisted().items() if only is None or each in only]
    parts += [Part(each, "", NO_STACK) for each in only or () if each.stack not in deployed.stacks]
    return EnvironmentDrift(
        environment=environment,
        account=deployed.source.account,
        region=deployed.source.region,
        at=at,
        stacks=tuple(deployed.stacks),
        resources=sum(map(comparer.exists, resources.addresses())),
        compared=sum(result.is_compared for result in results),
        drifts=in_order([*drifts, *foreign.drifts]),
        uncompared=(*_unread_stacks(deployed.stacks.values()), *_grouped([*parts, *foreign.parts])),
        calls=1 + 2 * len(deployed.stacks) + sum(deployed.source.calls.values()),
        left_out=sum(comparer.exists(each) for each in resources.addresses() if only is not None and each not in only),
    )


def _places(resources: DeployedResources, addresses: Iterable[Address]) -> list[Place]:
    """Where these resources are read, without those that no call returns."""
    return [place for address in dict.fromkeys(addresses) if (place := resources.place(address)) is not None]


def _attached(resources: DeployedResources, addresses: Iterable[Address]) -> list[Address]:
    """The resources that show in one of these, too: what is theirs is not its own."""
    types = {kind for address in addresses for kind in attached_types(resources.type_of(address))}
    return [address for address in resources.addresses() if resources.type_of(address) in types]


def _unread_stacks(stacks: Iterable[DeployedStack]) -> Iterable[Uncompared]:
    for stack in stacks:
        failed = next((part for part in (stack.template, stack.resources) if isinstance(part, NotRead)), None)
        if failed is not None:
            yield Uncompared(
                reason=failed.reason, resources=(stack.name,), call=failed.call, is_denied=failed.is_denied
            )


def _grouped(parts: Sequence[Part]) -> list[Uncompared]:
    """One for each call that failed, with the reason of its first resource, and one for each other reason."""
    found: dict[tuple[str, bool], list[Part]] = {}
    for part in parts:
        key = (part.reason.call, part.reason.is_denied) if isinstance(part.reason, NotRead) else (part.reason, False)
        found.setdefault(key, []).append(part)
    return [_together(group) for group in found.values()]


def _together(parts: Sequence[Part]) -> Uncompared:
    first = parts[0]
    failed = first.reason if isinstance(first.reason, NotRead) else NotRead("", first.reason)
    return Uncompared(
        reason=failed.reason,
        resources=tuple(f"{part.address}/{part.name}" if part.name else str(part.address) for part in parts),
        call=failed.call,
        is_denied=failed.is_denied,
        is_never_read=first.is_never_read,
    )
