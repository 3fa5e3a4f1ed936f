"""All environments of an account and Region with the files that describe them, for ``list``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from neuron_cluster.aws.cloudformation import deletions
from neuron_cluster.deploy.deployed_environments import DeployedEnvironment, Holdings, deployed_environments, holdings
from neuron_cluster.deploy.deployment_state import STABLE, DeploymentState
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.deploy.identity import Claim
from neuron_cluster.findings.finding import Finding
from neuron_cluster.plan.stack_table import data_stack_keys, stack_keys_below_data
from neuron_cluster.protocol.registry import registered_operations
from neuron_cluster.table import Table

ORPHAN = "none in environments/ (orphan)"
StacksOf = Callable[[Claim], tuple[str, ...] | None]
"""Names of the stacks that a file has, in deploy order; None for a file with errors."""


class ListedEnvironment(Struct, frozen=True):
    """One deployed environment."""

    environment: DeployedEnvironment
    held: Holdings
    account: str
    region: str
    files: tuple[str, ...]
    """The files that describe it: none of an orphan."""
    remove: str
    """The command that removes it; it keeps data."""
    state: DeploymentState
    findings: tuple[Finding, ...] = ()
    """About nodes that do not start."""

    @property
    def is_orphan(self) -> bool:
        return not self.files

    @property
    def status(self) -> str:
        """``complete``, else stacks that failed or are missing, and whether a deploy or a destroy ended early."""
        return self.state.text

    @property
    def since(self) -> str:
        """The day on which its first stack was created."""
        since = self.environment.since
        return f"{since:%Y-%m-%d}" if since is not None else "-"


def listed_environments(
    destination: Destination, claims: Sequence[Claim], stacks_of: StacksOf, remove: str, remove_orphan: str
) -> list[ListedEnvironment]:
    """Returns the deployed environments. The commands have ``{}`` in place of the name. Raises ``ToolkitError``."""
    found = []
    for name, environment in deployed_environments(destination.target).items():
        place = (name, destination.account, destination.region)
        owners = [claim for claim in claims if claim.place == place]
        held = holdings(destination.target, environment)
        is_plain = len(owners) == 1 and owners[0].stem == name
        found.append(
            ListedEnvironment(
                environment=environment,
                held=held,
                account=destination.account,
                region=destination.region,
                files=tuple(claim.file for claim in owners),
                remove=(remove if is_plain else remove_orphan).format(name),
                state=_state(destination, environment, stacks_of(owners[0]) if len(owners) == 1 else None, held),
                findings=tuple(_start_findings(destination, environment)),
            )
        )
    return found


def _state(
    destination: Destination, environment: DeployedEnvironment, expected: tuple[str, ...] | None, held: Holdings
) -> DeploymentState:
    """Queries deleted stacks only where one is missing."""
    there = (*environment.stacks, *environment.not_made)
    kept = (
        [f"{environment.name}-{stack_key}" for stack_key in (*data_stack_keys(), *stack_keys_below_data())]
        if held.data
        else []
    )
    known = DeploymentState(there, expected, {}, kept)
    deleted = deletions(destination.target, known.missing)
    return DeploymentState(there, expected, deleted, kept)


def _start_findings(destination: Destination, environment: DeployedEnvironment) -> Iterator[Finding]:
    """Yields findings about nodes of stacks whose changes have ended: a stack in progress is left out."""
    whole = (*STABLE, "UPDATE_ROLLBACK_COMPLETE")
    stacks = {stack.name for stack in environment.stacks if stack.status in whole}
    for operations in registered_operations():
        yield from operations.start_findings(destination, environment.name, stacks)


def environment_table(listed: ListedEnvironment, price: str) -> Table:
    """Returns the table of one environment; ``price`` is that of its instances an hour, as text."""
    stacks = listed.environment.stacks
    expected = listed.state.expected
    of_file = f" of {len(expected)}" if expected is not None else ""
    machines = ", ".join(each.description for each in listed.held.machines)
    rows = (
        ("file", ", ".join(listed.files) or ORPHAN),
        ("account, Region", f"{listed.account}, {listed.region}"),
        ("stacks", f"{len(stacks)}{of_file} with {sum(listed.held.resources.values())} resources"),
        ("status of the stacks", listed.status),
        ("since", listed.since),
        ("data", listed.held.data or "none"),
        *((("instances by the templates", f"{machines}; {price} an hour"),) if machines else ()),
    )
    return Table(f"Deployed: {listed.environment.name}", ("what", "value"), rows)


def orphan_lines(listed: ListedEnvironment) -> list[str]:
    """Returns the steps for an orphan, with each command on a separate line; empty for an environment with a file."""
    if not listed.is_orphan:
        return []
    name = listed.environment.name
    keys = f"name: {name}, account: {listed.account}, region: {listed.region}"
    return [
        f"to go on with it, write environments/{name}.yaml with {keys}; `diff` shows what differs",
        f"to remove it: {listed.remove}",
    ]
