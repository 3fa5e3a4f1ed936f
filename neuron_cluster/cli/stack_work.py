"""Work on stacks, with its progress on the terminal and a clear word when it is interrupted."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TextIO

from neuron_cluster.aws.errors import NoResponseError
from neuron_cluster.cli.interruption import until_interrupted
from neuron_cluster.cli.progress_display import ProgressDisplay, duration, no_closing
from neuron_cluster.errors import ToolkitError

if TYPE_CHECKING:
    from neuron_cluster.deploy.deployment import Show
    from neuron_cluster.deploy.destination import Destination
    from neuron_cluster.deploy.progress import StackProgress

GOES_ON = "CloudFormation continues with what has begun: then run the same command again, which continues from there"


def with_progress(
    work: Callable[[Show], list[StackProgress]],
    destination: Destination,
    names: Sequence[str],
    stream: TextIO,
    closing: Callable[[Sequence[StackProgress]], str] = no_closing,
) -> list[StackProgress]:
    """Does the work and shows how far it is. An interruption prints the state of the stacks and the next step.

    ``closing`` returns the line below the stacks. Raises ``NoResponseError`` with the next step when AWS is lost.
    """
    try:
        with ProgressDisplay(stream, closing) as display:
            return work(display.show)
    except NoResponseError as error:
        if destination.is_local:
            raise
        raise type(error)(error.message, hint=f"{error.hint}; {GOES_ON}") from error
    except KeyboardInterrupt:
        with until_interrupted():
            _print_states(destination, names)
        raise


def _print_states(destination: Destination, names: Sequence[str]) -> None:
    from neuron_cluster.deploy.stack_names import stack_states

    print("Interrupted. The CDK command was stopped; the state of the stacks:", file=sys.stderr, flush=True)
    try:
        states = stack_states(destination.target, names)
    except ToolkitError as error:
        print(f"  unknown: {error.message}", file=sys.stderr)
        return
    for name, status in states:
        print(f"  {name}: {status}", file=sys.stderr)
    print(
        _what_next([name for name, status in states if status.endswith("_IN_PROGRESS")], destination), file=sys.stderr
    )


def _what_next(busy: Sequence[str], destination: Destination) -> str:
    """Returns which stacks continue without the command, and the next step of the user."""
    if destination.ends_with_command:
        return "This local AWS stops with the command; its state is discarded."
    if busy:
        continues = f"CloudFormation continues with {' and '.join(busy)} without this command."
        return f"{continues}\nWait until it has finished, then run the same command again to continue."
    return "No stack operation is in progress. Run the same command again to continue."


def result_line(stack: StackProgress) -> str:
    """``train-trn1-network: no changes``."""
    if not stack.has_changed:
        return f"{stack.name}: no changes"
    counted = f"{stack.done} resource{'' if stack.done == 1 else 's'}"
    return f"{stack.name}: {stack.status}, {counted}, {duration(stack.seconds)}"
