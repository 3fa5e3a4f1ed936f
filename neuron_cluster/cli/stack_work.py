"""Work on stacks, with its progress on the terminal and a clear word when it is interrupted."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TextIO

from neuron_cluster.cli.progress_display import ProgressDisplay, duration

if TYPE_CHECKING:
    from neuron_cluster.deploy.deployment import Show
    from neuron_cluster.deploy.destination import Destination
    from neuron_cluster.deploy.progress import StackProgress


def with_progress(
    work: Callable[[Show], list[StackProgress]], destination: Destination, names: Sequence[str], stream: TextIO
) -> list[StackProgress]:
    """Does the work and shows how far it is. An interruption says what state the stacks are in, and goes on."""
    try:
        with ProgressDisplay(stream) as display:
            return work(display.show)
    except KeyboardInterrupt:
        _say_states(destination, names)
        raise


def _say_states(destination: Destination, names: Sequence[str]) -> None:
    from neuron_cluster.deploy.stack_names import stack_states

    print("Interrupted. The CDK command has been ended; the stacks are now:", file=sys.stderr)
    for name, status in stack_states(destination.target, names):
        print(f"  {name}: {status}", file=sys.stderr)
    if not destination.is_local:
        print("CloudFormation goes on with what is in progress. Run the command again to go on.", file=sys.stderr)


def result_line(stack: StackProgress) -> str:
    """``train-trn1-network: no changes``."""
    if not stack.has_changed:
        return f"{stack.name}: no changes"
    counted = f"{stack.done} resource{'' if stack.done == 1 else 's'}"
    return f"{stack.name}: {stack.status}, {counted}, {duration(stack.seconds)}"
