"""Resources that are created or updated, with what their CreationPolicy and UpdatePolicy ask for."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from msgspec.structs import replace

from local_aws.cloudformation.errors import TemplateError
from local_aws.cloudformation.resolver import Resolver
from local_aws.engine.engine_context import EngineContext
from local_aws.engine.resource_executor import ResourceExecutor, Target
from local_aws.engine.resource_policies import (
    GROUP,
    REPLACING_INSTANCES,
    WAIT_CONDITION,
    RollingUpdate,
    creation_policy,
    seconds_of,
    update_policy,
)
from local_aws.engine.signals import HANDLE, AwaitedSignals, await_signals, awaited_at_creation
from local_aws.engine.stack import Signal, Stack
from local_aws.engine.stack_resource import StackResource
from local_aws.engine.status_reasons import DeploymentFailedError, ResourceFailedError, provided


class SignaledResources:
    """The signaled resources of one deployment; ``require_time`` raises DeploymentFailedError when it is over."""

    def __init__(
        self,
        engine_context: EngineContext,
        stack: Stack,
        resolver: Resolver,
        executor: ResourceExecutor,
        require_time: Callable[[], None],
    ) -> None:
        self._engine_context = engine_context
        self._stack = stack
        self._resolver = resolver
        self._executor = executor
        self._require_time = require_time

    def create(self, target: Target, verb: str, put: Callable[[StackResource], None]) -> None:
        """Makes a resource, puts it into the stack, and waits for its signals; one that fails stays there.

        Raises ResourceFailedError or DeploymentFailedError.
        """
        name = target.definition.logical_id
        try:
            policy = creation_policy(target.definition, self._resolver)
            awaited = awaited_at_creation(
                self._engine_context.table, self._stack, target.definition, policy, target.properties
            )
        except TemplateError as error:
            self._executor.fail(target.definition, "", verb, error.message)
            raise ResourceFailedError(error.message) from error
        if target.type == HANDLE or policy.resource_signal is not None:
            self._stack.open_signals(name)
        created = self._executor.create(target, verb, waits=awaited is not None)
        put(created)
        if awaited is None:
            return
        try:
            signals = self._received(created, awaited)
        except (ResourceFailedError, DeploymentFailedError) as failure:
            # Source: aws-samples/immersive-media-refarch#7
            reason = str(failure) if isinstance(failure, ResourceFailedError) else "Resource creation cancelled"
            self._stack.put(self._executor.settle(created, f"{verb}_FAILED", reason))
            raise
        finally:
            self._stack.close_signals(name)
        if target.type == WAIT_CONDITION:
            data = json.dumps({each.unique_id: each.data for each in signals})
            created = replace(created, resource=replace(created.resource, attributes={"Data": data}))
        self._stack.put(self._executor.settle(created, f"{verb}_COMPLETE"))

    def update(self, current: StackResource, target: Target) -> StackResource:
        """Raises ResourceFailedError."""
        policy = update_policy(target.definition, self._resolver)
        rolling = policy.auto_scaling_rolling_update

        def roll(replace_instances: Callable[[int], Iterator[int]]) -> None:
            if rolling is not None and _replaces_instances(current, target):
                self._roll(current, rolling, replace_instances(rolling.max_batch_size))

        return self._executor.update(current, target, ignores_sizes=policy.ignores_sizes, roll=roll)

    def replaces_group(self, current: StackResource, target: Target) -> bool:
        """Whether the policy of a group replaces it where it could be updated in place."""
        return update_policy(target.definition, self._resolver).replaces_group and _replaces_instances(current, target)

    def _roll(self, current: StackResource, policy: RollingUpdate, batches: Iterator[int]) -> None:
        """Replaces instances batch by batch. Source: inferred: that each batch has to succeed by itself."""
        name = current.logical_id
        percent, timeout = policy.min_successful_instances_percent, seconds_of(policy.pause_time)
        try:
            self._stack.open_signals(name)
            while count := provided(current.type, next, batches, 0):
                self._require_time()
                if policy.wait_on_resource_signals:
                    awaited = AwaitedSignals(self._stack, name, count, timeout, percent=percent, kind=GROUP)
                    self._received(replace(current, status="UPDATE_IN_PROGRESS"), awaited)
                self._stack.open_signals(name)
        except DeploymentFailedError as failure:
            # Source: inferred: the words, from those of a creation.
            raise ResourceFailedError("Resource update cancelled") from failure
        finally:
            self._stack.close_signals(name)

    def _received(self, waiting: StackResource, awaited: AwaitedSignals) -> tuple[Signal, ...]:
        def note(reason: str) -> None:
            self._executor.settle(waiting, waiting.status, reason)

        return await_signals(self._engine_context, awaited, note, self._require_time)


def _replaces_instances(current: StackResource, target: Target) -> bool:
    return any(current.properties.get(name) != target.properties.get(name) for name in REPLACING_INSTANCES)
