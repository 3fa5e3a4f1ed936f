"""The environments of an account and Region, found by their stacks, whatever files there are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime

from msgspec import Struct

from neuron_cluster.aws.cloudformation import Stack, resources, stacks, template
from neuron_cluster.aws.session import Target
from neuron_cluster.changes.summary.deployed_machines import DeployedMachines, deployed_machines
from neuron_cluster.deploy.data_deletion import find_data
from neuron_cluster.deploy.stack_names import NOT_MADE
from neuron_cluster.plan.core_stacks import STORAGE
from neuron_cluster.plan.stack_table import stack_keys

DESCRIPTION = re.compile(r"Neuron cluster (?P<environment>[^:]+): (?P<stack_key>[a-z0-9-]+)")
"""The description that ``EnvironmentStack`` writes into each template; a test compares both."""


class DeployedEnvironment(Struct, frozen=True):
    """The stacks of one environment, in deploy order."""

    name: str
    stacks: tuple[Stack, ...]
    not_made: tuple[Stack, ...] = ()
    """Stacks that hold nothing: their first change was planned only, or rolled back."""

    @property
    def has_storage_stack(self) -> bool:
        """Whether it has the stack that holds data; the data itself may be gone."""
        return any(stack.name == f"{self.name}-{STORAGE.stack_key}" for stack in self.stacks)

    @property
    def since(self) -> datetime | None:
        """When its first stack was created."""
        return min((stack.created for stack in self.stacks if stack.created is not None), default=None)


class Holdings(Struct, frozen=True):
    """The resources of an environment in its account and Region."""

    resources: dict[str, int]
    """Resources by stack name."""
    machines: tuple[DeployedMachines, ...]
    data: str
    """``bucket B, file system fs-1 (4,800 GiB)``; empty without any."""

    @property
    def description(self) -> str:
        """``5 stacks with 113 resources; instances: trn1: 16 x trn1.32xlarge; data: bucket B``."""
        counted = f"{len(self.resources)} stack{'' if len(self.resources) == 1 else 's'}"
        parts = [f"{counted} with {sum(self.resources.values())} resources"]
        if self.machines:
            parts.append(f"instances: {', '.join(machines.description for machines in self.machines)}")
        parts.append(f"data: {self.data or 'none'}")
        return "; ".join(parts)


def deployed_environments(target: Target) -> dict[str, DeployedEnvironment]:
    """Returns the environments whose stacks exist in this account and Region, by name."""
    return grouped(stacks(target))


def grouped(found: Iterable[Stack]) -> dict[str, DeployedEnvironment]:
    """The stacks of environments by the name of the environment; stacks of anything else are left out."""
    made: dict[str, dict[str, Stack]] = {}
    not_made: dict[str, dict[str, Stack]] = {}
    for stack in found:
        match = DESCRIPTION.fullmatch(stack.description)
        if (
            match is None
            or stack.name != f"{match['environment']}-{match['stack_key']}"
            or match["stack_key"] not in stack_keys()
        ):
            continue
        group = not_made if stack.status in NOT_MADE else made
        group.setdefault(match["environment"], {})[match["stack_key"]] = stack
    return {
        name: DeployedEnvironment(name, _in_order(by_key), _in_order(not_made.get(name, {})))
        for name, by_key in sorted(made.items())
    }


def _in_order(by_key: Mapping[str, Stack]) -> tuple[Stack, ...]:
    return tuple(by_key[stack_key] for stack_key in stack_keys() if stack_key in by_key)


def holdings(target: Target, environment: DeployedEnvironment) -> Holdings:
    """Reads what its stacks hold. Raises ``ToolkitError`` when a service does not answer."""
    names = [stack.name for stack in environment.stacks]
    data = find_data(target, f"{environment.name}-{STORAGE.stack_key}") if environment.has_storage_stack else None
    templates = ((name, template(target, name)) for name in names)
    return Holdings(
        resources={name: len(resources(target, name)) for name in names},
        machines=deployed_machines({name: found for name, found in templates if found is not None}),
        data=data.description if data is not None and not data.is_gone else "",
    )
