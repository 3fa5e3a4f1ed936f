"""Removing an environment: what is deleted, what is kept because data depends on it, and how data is deleted too."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from neuron_cluster.aws.cloudformation import Stack, resources
from neuron_cluster.aws.kms import SHORTEST_WAIT_DAYS
from neuron_cluster.deploy.bootstrap import qualifier_of
from neuron_cluster.deploy.cdk_cli import CdkCli
from neuron_cluster.deploy.data_deletion import Data, delete_data, find_data, require_deletable
from neuron_cluster.deploy.deployed_assembly import write_deployed_assembly
from neuron_cluster.deploy.deployment import DeployError, Show, raise_failure
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.deploy.function_interfaces import wait_for_interfaces
from neuron_cluster.deploy.left_over import WAITS, in_the_way, left_over_lines
from neuron_cluster.deploy.progress import StackProgress, StackWatch
from neuron_cluster.deploy.protection import Protection, protections, turn_off
from neuron_cluster.deploy.retained_logs import delete_retained_logs
from neuron_cluster.deploy.stack_names import (
    NOT_THERE,
    AnyEnvironment,
    deployed_stacks,
    stack_states,
)
from neuron_cluster.deploy.work_folder import work_folder
from neuron_cluster.errors import ToolkitError
from neuron_cluster.plan.core_stacks import NETWORK, STORAGE
from neuron_cluster.plan.stack_table import data_stack_keys, stack_keys, stack_keys_below_data
from neuron_cluster.protocol.registry import registered_operations

BILLED_ON = (
    "What is kept is billed on: storage by its size, keys by the month, NAT gateways by the hour. "
    "`neuron-cluster cost` of its file has prices of most."
)

WAITING_FOR_LAMBDA = "waiting until Lambda has reclaimed its network interfaces (20 to 45 minutes)"
"""In the place of the network stack's status."""

EMPTY: dict[str, object] = {"Resources": {}}
"""Template of a stack that is to be deleted: the CDK command reads its name alone."""


class Destruction(Struct, frozen=True):
    """The plan of a destroy. Stacks are in the order in which they are deleted."""

    plan: AnyEnvironment
    deletes: tuple[Stack, ...]
    keeps: tuple[Stack, ...]
    data: Data | None
    """The data of the storage stack; None without one, and when all of it is gone."""
    with_data: bool
    with_logs: bool = False
    """Whether the log groups that outlive the stacks are deleted too."""
    protections: tuple[Protection, ...] = ()
    """Protections from deletion, which are disabled first."""


def plan_destruction(plan: AnyEnvironment, destination: Destination, *, with_data: bool) -> Destruction:
    """Decides, from what is deployed, what is deleted and what is kept. Changes nothing."""
    deployed = deployed_stacks(destination.target, plan)
    data = find_data(destination.target, deployed[STORAGE.stack_key].name) if STORAGE.stack_key in deployed else None
    holds_data = data is not None and not data.is_gone
    retained = {*data_stack_keys(), *stack_keys_below_data()} if holds_data and not with_data else set()
    deletes = tuple(
        deployed[stack_key]
        for stack_key in reversed(stack_keys())
        if stack_key in deployed and stack_key not in retained
    )
    return Destruction(
        plan=plan,
        deletes=deletes,
        keeps=tuple(
            deployed[stack_key] for stack_key in stack_keys() if stack_key in deployed and stack_key in retained
        ),
        data=data if holds_data else None,
        with_data=with_data and holds_data,
        with_logs=with_data,
        protections=tuple(protections(destination.target, plan, deletes)),
    )


def destroy(project: Path, destination: Destination, destruction: Destruction, show: Show) -> list[StackProgress]:
    """Deletes the stacks; returns how each ended. Raises ``DeployError`` when one could not be deleted.

    Data is deleted after what uses it and before its own stack, which alone refers to it: whatever stops a run, the
    next one finds the rest. CloudFormation then finds an association, a bucket policy and the like that are deleted,
    which it accepts; data itself it would keep anyway. Log groups are deleted last: services write to them for a
    while. Nothing is deleted where a lock protects data.
    """
    plan, data = destruction.plan, destruction.data
    names = [stack.name for stack in destruction.deletes]
    with_state = {plan.stack_name(stack_key) for stack_key in (*data_stack_keys(), *stack_keys_below_data())}
    ended: list[StackProgress] = []
    if destruction.with_data and data is not None:
        require_deletable(data)
    turn_off(destination.target, [each for each in destruction.protections if each.stack not in with_state])
    if destruction.with_data and data is not None:
        ended = delete_stacks(project, destination, plan, [name for name in names if name not in with_state], show)
        delete_data(destination.target, data)
        names = [name for name in names if name in with_state]
    turn_off(destination.target, [each for each in destruction.protections if each.stack in with_state])
    ended += _delete_with_network(project, destination, plan, names, show)
    if destruction.with_logs:
        delete_retained_logs(plan, destination.target)
    return ended


def _delete_with_network(
    project: Path, destination: Destination, plan: AnyEnvironment, names: Sequence[str], show: Show
) -> list[StackProgress]:
    """The network last, once Lambda holds no interface in it any more."""
    network = plan.stack_name(NETWORK.stack_key)
    if network not in names:
        return delete_stacks(project, destination, plan, names, show)
    ended: list[StackProgress] = []
    with_functions = {plan.stack_name(key) for each in registered_operations() for key in each.stacks_with_functions}
    if with_functions & set(names):
        ended = delete_stacks(project, destination, plan, [name for name in names if name != network], show)
        names = [network]

    def waiting(gone: int, total: int) -> None:
        show([*ended, StackProgress(network, WAITING_FOR_LAMBDA, gone, total, time.monotonic() - began)])

    began = time.monotonic()
    wait_for_interfaces(plan, destination, waiting)
    return ended + delete_stacks(project, destination, plan, names, show)


def delete_stacks(
    project: Path, destination: Destination, plan: AnyEnvironment, names: Sequence[str], show: Show
) -> list[StackProgress]:
    """Deletes these stacks, given in the order of deletion; how each ended. Raises ``DeployError`` when one stays."""
    if not names:
        return []
    totals = {name: len(resources(destination.target, name)) for name in names}
    watch = StackWatch(destination.target, totals)
    in_deploy_order = dict.fromkeys(reversed(names), EMPTY)
    with work_folder() as folder:
        write_deployed_assembly(folder, destination, plan.partition, in_deploy_order, qualifier_of(project))
        cdk = CdkCli(project, destination)
        run = cdk.destroy(folder, list(in_deploy_order), lambda: show(watch.look()))
    try:
        raise_failure(run, watch, "the deletion failed", destination)
    except DeployError as failure:
        raise _with_left_over(failure, plan, destination) from failure
    _require_gone(names, destination)
    return watch.look()


def _with_left_over(failure: DeployError, plan: AnyEnvironment, destination: Destination) -> DeployError:
    """Names what holds the network, which CloudFormation calls dependencies."""
    found = in_the_way(plan, destination)
    if not found:
        return failure
    lines = [failure.message, "these are in its VPC and in no stack of it:", *left_over_lines(found)]
    hint = f"delete them, in this order, and run the command again; it continues from here. {WAITS}"
    return DeployError("\n".join(lines), hint=hint)


def _require_gone(names: Sequence[str], destination: Destination) -> None:
    """Raises ``DeployError`` when a stack is still there, although the CDK command ended well."""
    left = [f"{name} is {status}" for name, status in stack_states(destination.target, names) if status != NOT_THERE]
    if left:
        hint = "another command may have made or changed it; run this one again"
        raise DeployError(f"the deletion ended, but these still exist: {', '.join(left)}", hint=hint)


def require_same_name(plan: AnyEnvironment, typed: str | None) -> None:
    """Raises ``ToolkitError`` when data is to be deleted and another name than the environment's was typed."""
    if typed is not None and typed != plan.name:
        message = f'--delete-data names "{typed}", but the environment is "{plan.name}"; nothing was changed'
        raise ToolkitError(message, hint=f"to delete the data of this environment: --delete-data {plan.name}")


def destruction_lines(destruction: Destruction, destination: Destination, command: str) -> list[str]:
    """Returns lines on deleted and kept resources, reasons, costs, and the ``command`` that deletes the latter too."""
    plan, data = destruction.plan, destruction.data
    if not destruction.deletes and not destruction.keeps:
        return [f"No stack of {plan.name} exists on {destination.description}."]
    deletes = ", ".join(stack.name for stack in destruction.deletes)
    lines = [f"Deleting from {destination.description}: {deletes}." if deletes else "There is no stack left to delete."]
    if destruction.protections:
        lines.append(f"Turning off first: {', '.join(each.description for each in destruction.protections)}.")
    if data is None:
        return lines
    if destruction.with_data:
        return [*lines, f"Deleting for good: {data.description}. A key can be restored for {SHORTEST_WAIT_DAYS} days."]
    under = ", ".join(plan.stack_name(stack_key) for stack_key in stack_keys_below_data())
    why = " as well: it is retained with the data, so that the next deploy has the same network."
    if data.has_interfaces:
        why = ", because that data requires it: a file system has interfaces in its subnets and security groups."
    return [
        *lines,
        f"Keeping {plan.stack_name(STORAGE.stack_key)}, because it holds data: {data.description}.",
        f"Keeping {under}{why}",
        BILLED_ON,
        f"The next deploy of {plan.name} uses the same data.",
        f"To delete the data too: {command} --delete-data {plan.name}",
    ]
