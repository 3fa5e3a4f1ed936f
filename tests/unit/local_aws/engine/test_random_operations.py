"""Random operations on a stack: after each of them the services hold what the stacks hold."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from hypothesis.stateful import run_state_machine_as_test as run_machine

from local_aws.cloudformation.errors import TemplateError
from local_aws.contract import ServiceError
from local_aws.engine.request import UPDATABLE
from local_aws.engine.stack import Stack
from tests.unit.local_aws.engine.harness import RemoteState, new_cloud, resource

NAMES = ("A", "B", "C", "D")
VALUES = ("1", "2", "3")
EXPORTED = {"Value": "x", "Export": {"Name": "taken"}}
"""An output that fails an update after its resources: another stack has the export."""
GIVEN_UP = ("DELETE_SKIPPED", "DELETE_FAILED")
"""Events after which a resource may belong to no stack."""
ROLLED_BACK = frozenset({"CREATE_FAILED", "UPDATE_FAILED", "UPDATE_ROLLBACK_FAILED"})

subsets = st.sampled_from([set(), set(), *({value} for value in VALUES), {"1", "2"}])
entries = st.tuples(
    st.sampled_from(
        [
            {**value, "CidrBlock": block, **policies}
            for value, block, policies in itertools.product(
                ({}, *({"Value": value} for value in VALUES), {"Value": "Ref"}, {"Value": "Version"}),
                (*VALUES, *VALUES, "Ref", "Version"),
                ({}, {}, {"DeletionPolicy": "Retain"}, {"DeletionPolicy": "RetainExceptOnCreate"},
                 {"UpdateReplacePolicy": "Retain"}),
            )
        ]
    ),
    st.sampled_from(NAMES),
)  # fmt: skip
resources = st.lists(entries, min_size=1, max_size=4, unique_by=lambda entry: entry[1])
exports = st.sampled_from((False, False, False, True))
flags = st.booleans()
signals = st.sampled_from(("SUCCESS", "SUCCESS", "FAILURE", ""))
SIGNALED = "D"
"""The resource that waits for a signal, of a type with another create-only property."""


def new_template(entries: Sequence[tuple[Mapping[str, str], str]], exports: bool) -> dict[str, Any]:
    """``Ref`` and ``Version`` stand for a reference to the resource before: its id, or what each update changes."""
    resources: dict[str, Any] = {}
    before = ""
    for parts, name in entries:
        functions = {"Ref": {"Ref": before}, "Version": {"Fn::GetAtt": [before, "Version"]}} if before else {}
        properties = {key: functions.get(part, part) for key, part in parts.items()}
        resources[name] = _signaled(properties) if name == SIGNALED else resource(**properties)
        before = name
    return {"Resources": resources, **({"Outputs": {"O": EXPORTED}} if exports else {})}


def _signaled(parts: Mapping[str, Any]) -> dict[str, Any]:
    named = {"ImageId" if key == "CidrBlock" else key: part for key, part in parts.items()}
    return resource("AWS::EC2::Instance", CreationPolicy={"ResourceSignal": {"Timeout": "PT0S"}}, **named)


class RandomOperations(RuleBasedStateMachine):
    """One stack name, a service that refuses other values in each operation, and another stack with an export."""

    @initialize()
    def start(self) -> None:
        self.cloud = new_cloud(RemoteState())
        self.other = self.cloud.create("other", new_template([({"CidrBlock": "0"}, "A")], True))
        self.stacks = [self.other]
        self.stack: Stack | None = None
        self.skipped: set[str] = set()
        self.signal = ""
        self.orphans: set[str] = set()
        self.numbers = itertools.count()
        self.cloud.remote.on_put = self._send

    def teardown(self) -> None:
        if hasattr(self, "cloud"):
            self.cloud.engine.close()

    @precondition(lambda self: self.stack is None)
    @rule(
        entries=resources,
        on_failure=st.sampled_from(("ROLLBACK", "DO_NOTHING", "DELETE")),
        refused=subsets,
        signal=signals,
    )
    def create(self, entries: Any, on_failure: str, refused: set[str], signal: str) -> None:
        self.signal = signal

        def create() -> None:
            self.stacks.append(self.cloud.create("s", new_template(entries, False), OnFailure=on_failure))

        self._do(create, refused, set())

    @precondition(lambda self: self.stack is not None and self.stack.status in UPDATABLE)
    @rule(entries=resources, exports=exports, flags=st.tuples(flags, flags, signals), refused=subsets, stuck=subsets)
    def update(self, entries: Any, exports: bool, flags: Any, refused: set[str], stuck: set[str]) -> None:
        stop, retain, self.signal = flags
        given = {"DisableRollback": stop, "RetainExceptOnCreate": retain}
        self._do(lambda: self.cloud.update("s", new_template(entries, exports), **given), refused, stuck)

    @precondition(lambda self: self.stack is not None and self.stack.status in UPDATABLE)
    @rule(entries=resources, exports=exports, stop=flags, name=st.sampled_from(NAMES), refused=subsets, stuck=subsets)
    def cancel_update(
        self, entries: Any, exports: bool, stop: bool, name: str, refused: set[str], stuck: set[str]
    ) -> None:
        def cancel(logical_id: str) -> None:
            self._send(logical_id)
            if self.stack is not None and self.stack.status == "UPDATE_IN_PROGRESS" and logical_id == name:
                self.cloud.engine.cancel_update(self.stack, {})

        self.cloud.remote.on_put = cancel
        self._do(lambda: self.cloud.update("s", new_template(entries, exports), DisableRollback=stop), refused, stuck)
        self.cloud.remote.on_put = self._send

    @precondition(lambda self: self.stack is not None and self.stack.status in UPDATABLE)
    @rule(entries=resources, exports=exports, stop=flags, refused=subsets, stuck=subsets)
    def execute_change_set(self, entries: Any, exports: bool, stop: bool, refused: set[str], stuck: set[str]) -> None:
        def execute() -> None:
            self.cloud.execute(self.cloud.change_set("s", new_template(entries, exports)), DisableRollback=stop)

        self._do(execute, refused, stuck)

    @precondition(lambda self: self.stack is None or self.stack.status in UPDATABLE)
    @rule(name=st.sampled_from([name for name in NAMES if name != SIGNALED]), exists=flags)
    def import_resource(self, name: str, exists: bool) -> None:
        revision = self.stack.revision if self.stack is not None else None
        template = json.loads(revision.template.body) if revision is not None else {"Resources": {}}
        if name in template["Resources"] or (self.stack is not None and name in self.stack.resources):
            return
        template["Resources"][name] = resource(DeletionPolicy="Delete")
        physical_id = f"orphan-{next(self.numbers)}"
        self.orphans.add(physical_id)
        if exists:
            self.cloud.remote.things[physical_id] = {}
        asked = {"LogicalResourceId": name, "ResourceIdentifier": {"SubnetId": physical_id}}
        to_import = [{"ResourceType": "AWS::EC2::Subnet", **asked}]

        def execute() -> None:
            change_set = self.cloud.change_set("s", template, ChangeSetType="IMPORT", ResourcesToImport=to_import)
            if change_set.stack not in self.stacks:
                self.stacks.append(change_set.stack)
            self.cloud.execute(change_set)

        self._do(execute, set(), set())
        if self.stack is not None and name in self.stack.resources:
            self.orphans.remove(physical_id)

    @precondition(lambda self: self.stack is not None and self.stack.status in ROLLED_BACK)
    @rule(skipped=st.sampled_from(("", "", *NAMES)), retain=flags, refused=subsets, stuck=subsets)
    def roll_back(self, skipped: str, retain: bool, refused: set[str], stuck: set[str]) -> None:
        assert self.stack is not None
        stack, given = self.stack, {"ResourcesToSkip": [skipped]} if skipped else {}
        if skipped:
            self.skipped.add(stack.stack_id)
        self._do(lambda: self.cloud.roll_back(stack, RetainExceptOnCreate=retain, **given), refused, stuck)

    @precondition(lambda self: self.stack is not None)
    @rule(retained=st.sampled_from(("", *NAMES)), forced=flags, stuck=subsets)
    def delete(self, retained: str, forced: bool, stuck: set[str]) -> None:
        assert self.stack is not None
        stack = self.stack
        given: dict[str, Any] = {}
        if stack.status == "DELETE_FAILED":
            given["DeletionMode"] = "FORCE_DELETE_STACK" if forced else "STANDARD"
            given["RetainResources"] = [retained] if retained else []
        self._do(lambda: self.cloud.delete(stack, **given), set(), stuck)

    def _send(self, logical_id: str) -> None:
        """The signal that the resource waits for, if it does and gets one."""
        stack = self.cloud.find("s")
        if self.signal and stack is not None and logical_id in stack.signals:
            self.cloud.signal(stack, logical_id, f"i={self.signal}")

    def _do(self, operation: Callable[[], Any], refused: set[str], stuck: set[str]) -> None:
        """The engine may refuse the request."""
        self.cloud.remote.refused, self.cloud.remote.stuck = refused, stuck
        try:
            operation()
        except (ServiceError, TemplateError):
            for change_set in self.cloud.engine.change_sets.of(self.stack or self.other):
                self.cloud.engine.change_sets.delete(change_set)
        self.stack = self.cloud.find("s")

    @invariant()
    def the_services_hold_what_the_stacks_hold(self) -> None:
        stacks = getattr(self, "stacks", [])
        held = [physical_id for stack in stacks for physical_id in _held(stack)]
        assert len(held) == len(set(held)), "a resource is held twice"
        things = set(self.cloud.remote.things) if stacks else set()
        assert set(held) <= things, "a stack holds what is not there"
        given_up = {each.physical_id for stack in stacks for each in stack.events if each.status in GIVEN_UP}
        assert things - set(held) <= given_up | getattr(self, "orphans", set()), "a resource is left behind"

    @invariant()
    def a_stack_that_is_complete_has_nothing_to_remove(self) -> None:
        for stack in getattr(self, "stacks", ()):
            assert not stack.in_progress
            assert not stack.is_cancelled
            if not stack.status.endswith("_COMPLETE"):
                continue
            assert stack.pending_removals == ()
            assert stack.status != "DELETE_COMPLETE" or not stack.resources
            for each in stack.resources.values() if stack.stack_id not in self.skipped else ():
                assert self.cloud.remote.things[each.physical_id] == each.properties


def _held(stack: Stack) -> list[str]:
    waiting = [removal.resource.physical_id for removal in stack.pending_removals]
    return [*waiting, *(each.physical_id for each in stack.resources.values())]


def run(examples: int, *, derandomize: bool) -> None:
    run_machine(
        RandomOperations,
        settings=settings(
            max_examples=examples,
            stateful_step_count=20,
            derandomize=derandomize,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
            phases=(Phase.generate, Phase.shrink),
        ),
    )


def test_no_resource_is_lost() -> None:
    run(40, derandomize=True)


@pytest.mark.exhaustive
def test_no_resource_is_lost_in_thousands_of_runs() -> None:
    run(4000, derandomize=False)
