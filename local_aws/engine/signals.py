"""Signals that a resource waits for, before it counts as created or updated.

They are sent by SignalResource, or by a PUT to the URL of a wait condition handle; no instance here sends any.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any
from urllib.parse import unquote, urlsplit

import msgspec
from msgspec import Struct

from local_aws.api_errors import api_error
from local_aws.clock import CLOCK
from local_aws.cloudformation.errors import TemplateError
from local_aws.cloudformation.template import ResourceDefinition
from local_aws.engine.engine_context import EngineContext
from local_aws.engine.resource_policies import GROUP, WAIT_CONDITION, CreationPolicy, seconds_of
from local_aws.engine.stack import Signal, Stack
from local_aws.engine.stack_table import StackTable
from local_aws.engine.status_reasons import ResourceFailedError

HANDLE = "AWS::CloudFormation::WaitConditionHandle"
HANDLE_PATH = "/cloudformation-waitcondition-"
"""How the path of a handle's URL begins; the Region, the stack's id and the handle's logical id follow."""
UNPARSABLE = "UNPARSABLE"
LOOK_SECONDS = 0.05


class AwaitedSignals(Struct, frozen=True):
    """The signals for which one resource waits."""

    stack: Stack
    """Whose signals they are: a handle may come from a parent stack."""
    logical_id: str
    """Logical id of the resource, or of the handle."""
    count: int
    timeout: timedelta
    percent: int = 100
    """How many of them have to be successes."""
    kind: str = ""
    """The type, which decides the words."""

    @property
    def needed(self) -> int:
        return math.ceil(self.count * self.percent / 100)

    def received(self) -> tuple[Signal, ...]:
        return self.stack.signals.get(self.logical_id, ())


def awaited_at_creation(
    table: StackTable,
    stack: Stack,
    definition: ResourceDefinition,
    policy: CreationPolicy,
    properties: Mapping[str, Any],
) -> AwaitedSignals | None:
    """Returns the signals for a new resource. Raises TemplateError for a wait condition that waits for nothing."""
    signal = policy.resource_signal
    if signal is not None:
        percent = (
            policy.auto_scaling_creation_policy.min_successful_instances_percent if definition.type == GROUP else 100
        )
        kind = GROUP if definition.type == GROUP else ""
        return AwaitedSignals(
            stack, definition.logical_id, signal.count, seconds_of(signal.timeout), percent=percent, kind=kind
        )
    if definition.type != WAIT_CONDITION:
        return None
    if not {"Handle", "Timeout"} <= properties.keys():
        raise TemplateError("wait_condition_keys")
    stack_id, logical_id = handle_of(urlsplit(properties["Handle"]).path)
    sender = table.find(stack.account, stack.region, stack_id)
    if sender is None:
        raise TemplateError("wait_condition_handle", handle=properties["Handle"])
    seconds, count = timedelta(seconds=int(properties["Timeout"])), int(properties.get("Count", 1))
    return AwaitedSignals(sender, logical_id, count, seconds, kind=WAIT_CONDITION)


def await_signals(
    engine_context: EngineContext,
    awaited: AwaitedSignals,
    note: Callable[[str], None],
    require_time: Callable[[], None],
) -> tuple[Signal, ...]:
    """Waits for them; ``note`` takes the words for each, and ``require_time`` raises when the operation is over.

    Raises ResourceFailedError when they fail or the time is up.
    """
    deadline = CLOCK.now() + awaited.timeout
    noted = 0
    with engine_context.waiting(awaited.stack.stack_id):
        while True:
            engine_context.raise_if_stopping()
            require_time()
            is_over = CLOCK.now() >= deadline
            signals = awaited.received()
            for each in signals[noted:] if awaited.kind != WAIT_CONDITION else ():
                note(f"Received {each.status} signal with UniqueId {each.unique_id}")
            noted = len(signals)
            if is_over and awaited.kind == GROUP and len(signals) < awaited.count:
                # Source: widdix/aws-cf-templates#565
                note(
                    f"Failed to receive {awaited.count - len(signals)} resource signal(s) for the current batch.  "
                    "Each resource signal timeout is counted as a FAILURE."
                )
            if _is_satisfied(awaited, signals, is_over=is_over):
                return signals
            engine_context.stopping.wait(LOOK_SECONDS)


def _is_satisfied(awaited: AwaitedSignals, signals: tuple[Signal, ...], *, is_over: bool) -> bool:
    """Raises ResourceFailedError when they never will be."""
    failures = [each for each in signals if each.status != "SUCCESS"]
    successes = len(signals) - len(failures)
    is_short = is_over and successes < awaited.needed
    if len(failures) > awaited.count - awaited.needed or is_short:
        raise ResourceFailedError(_reason(awaited, successes, failures))
    return successes >= awaited.needed and (is_over or len(signals) >= awaited.count)


def _reason(awaited: AwaitedSignals, successes: int, failures: list[Signal]) -> str:
    """Sources, in this order: aws-quickstart/quickstart-linux-bastion#144, widdix/aws-cf-templates#565,
    aws-quickstart/quickstart-pivotal-cloudfoundry#10, sebdah/dynamic-dynamodb#248, Accenture/adop-doa-materials#10,
    aws-otel/aws-otel.github.io#47, widdix/aws-ec2-ssh#103.
    """
    if awaited.kind == GROUP:
        received = f"{len(failures)} FAILURE" if failures else f"{successes} SUCCESS"
        wanted = f"Unable to satisfy {awaited.percent}% MinSuccessfulInstancesPercent requirement"
        return f"Received {received} signal(s) out of {awaited.count}.  {wanted}"
    if awaited.kind == WAIT_CONDITION:
        for each in failures:
            if each.status == UNPARSABLE:
                return "Unparsable WaitCondition data"
            return f"WaitCondition received failed message: '{each.reason}' for uniqueId: {each.unique_id}"
        return f"WaitCondition timed out. Received {successes} conditions when expecting {awaited.count}"
    for each in failures:
        return f"Received FAILURE signal with UniqueId {each.unique_id}"
    return f"Failed to receive {awaited.count - successes} resource signal(s) within the specified duration"


def signal_resource(table: StackTable, stack: Stack, given: Mapping[str, Any]) -> None:
    """Takes a signal for a resource that waits for some. Raises ServiceError."""
    with table.lock:
        if not stack.in_progress:
            raise api_error("cloudformation.stack_not_signaled", stack_id=stack.stack_id, status=stack.status)
        logical_id = given["LogicalResourceId"]
        if logical_id not in stack.signals:
            raise api_error("cloudformation.resource_not_signaled", logical_id=logical_id)
        stack.add_signal(logical_id, Signal(given["UniqueId"], given["Status"]))


def signal_handle(table: StackTable, account: str, region: str, path: str, body: bytes) -> bool:
    """Takes what was put to the URL of a handle; False where no stack has it. CloudFormation reads the body later."""
    stack_id, logical_id = handle_of(path)
    with table.lock:
        stack = table.find(account, region, stack_id)
        found = stack.resources.get(logical_id) if stack is not None else None
        if stack is None or found is None or found.type != HANDLE:
            return False
        stack.add_signal(logical_id, _parsed(body))
        return True


def handle_of(path: str) -> tuple[str, str]:
    """The stack's id and the logical id in the path of a handle's URL, ``/<bucket>/<stack id>/<logical id>``."""
    stack_id, _, logical_id = unquote(path).removeprefix("/").partition("/")[2].rpartition("/")
    return stack_id, logical_id


class _Body(Struct, rename="pascal"):
    """Source: https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/using-cfn-waitcondition.html."""

    status: str
    unique_id: str
    data: Any = ""
    reason: str = ""


def _parsed(body: bytes) -> Signal:
    try:
        read = msgspec.json.decode(body, type=_Body)
    except msgspec.DecodeError:
        return Signal("", UNPARSABLE)
    status = read.status if read.status in {"SUCCESS", "FAILURE"} else UNPARSABLE
    data = read.data if isinstance(read.data, str) else json.dumps(read.data)
    return Signal(read.unique_id, status, reason=read.reason, data=data)
