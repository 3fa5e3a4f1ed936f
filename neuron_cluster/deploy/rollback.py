"""Stacks whose rollback failed: CloudFormation accepts no update before the rollback is complete."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from neuron_cluster.aws.cloudformation import continue_update_rollback, stack
from neuron_cluster.deploy.cdk_cli import AWS_POLL_SECONDS, POLL_SECONDS
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.deploy.failed_resources import failure_lines
from neuron_cluster.deploy.progress import StackWatch
from neuron_cluster.deploy.stack_names import deployed_stacks
from neuron_cluster.errors import ToolkitError
from neuron_cluster.plan.cluster_plan import ClusterPlan

FAILED = "UPDATE_ROLLBACK_FAILED"
DONE = "UPDATE_ROLLBACK_COMPLETE"


class RollbackError(ToolkitError):
    """A stack could not go back. The message names the failed resources, the cause first."""

    finding_id = "E9529"


def failed_rollbacks(plan: ClusterPlan, destination: Destination) -> list[str]:
    """The stacks of this environment of which the last rollback failed, in deploy order."""
    return [found.name for found in deployed_stacks(destination.target, plan).values() if found.status == FAILED]


def finish_rollbacks(names: Sequence[str], destination: Destination, progress: Callable[[str], None]) -> None:
    """Continues the rollback of each of these stacks, and waits. Raises ``RollbackError`` when one fails again."""
    for name in names:
        progress(f"The last change of {name} failed, and so did its rollback: continuing that rollback first.")
        watch = StackWatch(destination.target, {name: 0})
        continue_update_rollback(destination.target, name)
        status = _end(name, destination)
        if status != DONE:
            watch.look()
            failed = failure_lines(watch.failures(), destination)
            lines = "\n".join(f"  {line}" for line in failed) or f"  {name}: {status}"
            raise RollbackError(f"the rollback of {name} failed again\n{lines}", hint=hint_for(name, destination))
        progress(f"{name} is back at its previous deployment.")


def hint_for(name: str, destination: Destination) -> str:
    """Returns the hint for a stack whose rollback failed."""
    command = destination.aws_command(
        "cloudformation continue-update-rollback", stack_name=name, resources_to_skip="LOGICAL_ID"
    )
    return (
        "correct the first of these and deploy again, which continues the rollback; or let the rollback leave a "
        f"resource as it is, `{command}`, and deploy again"
    )


def _end(name: str, destination: Destination) -> str:
    """The status in which the operation in progress ends."""
    while True:
        found = stack(destination.target, name)
        status = found.status if found is not None else "not there"
        if not status.endswith("_IN_PROGRESS"):
            return status
        time.sleep(POLL_SECONDS if destination.is_local else AWS_POLL_SECONDS)
