"""Carrying an import out: a change set of its own, executed when it has imports alone."""

from __future__ import annotations

import json
import time

from neuron_cluster.aws.change_sets import (
    IMPORT,
    ChangeSet,
    change_set,
    create_import,
    delete_change_set,
    execute_change_set,
)
from neuron_cluster.aws.cloudformation import delete_stack, resources, set_termination_protection, stack
from neuron_cluster.deploy.bucket_import import BucketImport
from neuron_cluster.deploy.busy_stacks import ONLY_PLANNED
from neuron_cluster.deploy.cdk_cli import AWS_POLL_SECONDS, POLL_SECONDS
from neuron_cluster.deploy.deployment import DeployError, Show
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.deploy.failed_resources import failure_lines
from neuron_cluster.deploy.progress import StackProgress, StackWatch
from neuron_cluster.errors import ToolkitError

CHANGE_SET = "neuron-cluster-import"
DONE = "IMPORT_COMPLETE"
WITHOUT_RESOURCES = frozenset({ONLY_PLANNED, "ROLLBACK_COMPLETE", "IMPORT_ROLLBACK_COMPLETE"})
"""Statuses in which a failed import leaves a new stack."""


def run_import(destination: Destination, planned: BucketImport, show: Show) -> list[StackProgress]:
    """Imports, and waits; how the stack ended.

    Raises ``ToolkitError`` when the change set has other changes, and ``DeployError`` with the failed resources. Then,
    and after an interruption before the execution, neither change set nor stack is left.
    """
    target, name = destination.target, planned.stack
    watch = StackWatch(target, {name: len(planned.resources)})
    try:
        _create(destination, planned)
        execute_change_set(target, name, CHANGE_SET)
        _raise_failure(_end(destination, watch, name, show), watch, name, destination)
    except BaseException:
        remove_unused_stack(destination, name)
        raise
    if planned.is_protected:
        set_termination_protection(target, name, on=True)
    return watch.look()


def _raise_failure(status: str, watch: StackWatch, name: str, destination: Destination) -> None:
    if status != DONE:
        failed = failure_lines(watch.failures(), destination)
        lines = "\n".join(f"  {line}" for line in failed) or f"  {name}: {status}"
        raise DeployError(
            f"the import failed\n{lines}",
            hint="correct the first of these and run the command again; the resources stay as they are",
        )


def remove_unused_stack(destination: Destination, name: str) -> None:
    """Deletes a stack that has no resources yet, with its change sets; leaves any other one."""
    found = stack(destination.target, name)
    if found is not None and found.status in WITHOUT_RESOURCES and not resources(destination.target, name):
        delete_stack(destination.target, name)


def _create(destination: Destination, planned: BucketImport) -> None:
    """Raises ``ToolkitError`` unless the change set imports these resources and changes nothing else."""
    target, name = destination.target, planned.stack
    if stack(target, name) is not None:
        delete_change_set(target, name, CHANGE_SET)  # of a command that was killed
    create_import(target, name, CHANGE_SET, json.dumps(planned.template), planned.resources)
    made = _made(destination, name)
    if made.status != "CREATE_COMPLETE":
        raise ToolkitError(f"CloudFormation cannot import into {name}: {made.reason}")
    expected = {(IMPORT, each.logical_id) for each in planned.resources}
    if set(made.changes) != expected:
        others = ", ".join(f"{action} {each}" for action, each in sorted({*made.changes} ^ expected))
        raise ToolkitError(f"the change set has other changes than the imports: {others}; nothing was changed")


def _made(destination: Destination, name: str) -> ChangeSet:
    while True:
        found = change_set(destination.target, name, CHANGE_SET)
        if not found.status.endswith(("_PENDING", "_IN_PROGRESS")):
            return found
        _wait(destination)


def _end(destination: Destination, watch: StackWatch, name: str, show: Show) -> str:
    """The status in which the import ends. A new stack whose import failed is back in REVIEW_IN_PROGRESS."""
    while True:
        found = stack(destination.target, name)
        show(watch.look())
        status = found.status if found is not None else "not there"
        if not status.endswith("_IN_PROGRESS") or (status == ONLY_PLANNED and watch.failures()):
            return status
        _wait(destination)


def _wait(destination: Destination) -> None:
    time.sleep(POLL_SECONDS if destination.is_local else AWS_POLL_SECONDS)
