"""Jobs of an environment on machines of a service, which outlive its stacks."""

from __future__ import annotations

from neuron_cluster.deploy.destination import Destination
from neuron_cluster.deploy.destruction import Destruction
from neuron_cluster.errors import ToolkitError
from neuron_cluster.protocol.registry import registered_operations


class JobsRunError(ToolkitError):
    """Jobs use the roles and security groups of a stack that is to be deleted."""

    finding_id = "E9571"


def require_no_jobs(destruction: Destruction, destination: Destination) -> None:
    """Raises ``JobsRunError`` where jobs have not ended, and ``ToolkitError`` where AWS does not list them."""
    deletes, found = {stack.name for stack in destruction.deletes}, dict[str, str]()
    for each in registered_operations():
        if each.stack_with_jobs is not None and destruction.plan.stack_name(each.stack_with_jobs) in deletes:
            found |= each.unfinished_jobs(destination, destruction.plan.name)
    if found:
        stop = " and ".join(f"`{command}`" for command in found.values())
        hint = f"wait until they have ended, or run {stop}; then run the command again"
        raise JobsRunError(f"jobs of the environment have not ended: {', '.join(found)}", hint=hint)
