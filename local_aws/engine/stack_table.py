"""All stacks of all accounts and Regions, with what they export to each other."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Iterator, Mapping

from local_aws.api_errors import api_error
from local_aws.clients import partition_of
from local_aws.engine.stack import Output, Stack

DELETED_KEPT = 200
"""How many deleted stacks are found by their id; AWS keeps them for 90 days."""


class StackTable:
    """Found by name while they live, by id always."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        """Held while a stack's status is checked and changed, and while exports are."""
        self._stacks: dict[str, Stack] = {}

    def add(self, account: str, region: str, name: str, status: str) -> Stack:
        """A new, empty stack. Raises ServiceError ``AlreadyExistsException`` when a live one has the name."""
        with self.lock:
            if any(stack.name == name for stack in self.live(account, region)):
                raise api_error("cloudformation.stack_exists", stack=name)
            stack_id = f"arn:{partition_of(region)}:cloudformation:{region}:{account}:stack/{name}/{uuid.uuid4()}"
            stack = Stack(account=account, region=region, name=name, stack_id=stack_id, status=status)
            self._stacks[stack_id] = stack
            self._forget_oldest_deleted()
            return stack

    def _forget_oldest_deleted(self) -> None:
        deleted = [name for name, stack in self._stacks.items() if stack.status == "DELETE_COMPLETE"]
        for stack_id in deleted[:-DELETED_KEPT]:
            del self._stacks[stack_id]

    def clear(self) -> None:
        """Forgets every stack."""
        self.replace({})

    def contents(self) -> dict[str, Stack]:
        """Every stack by its id, oldest first."""
        with self.lock:
            return dict(self._stacks)

    def replace(self, stacks: Mapping[str, Stack]) -> None:
        """Forgets every stack and has these."""
        with self.lock:
            self._stacks = dict(stacks)

    def all(self, account: str, region: str) -> list[Stack]:
        """Deleted ones too, newest first."""
        return [s for s in reversed(list(self._stacks.values())) if (s.account, s.region) == (account, region)]

    def live(self, account: str, region: str) -> Iterator[Stack]:
        return (stack for stack in self.all(account, region) if stack.status != "DELETE_COMPLETE")

    def find(self, account: str, region: str, name_or_id: str) -> Stack | None:
        """A live stack by its name, any stack by its id."""
        found = self._stacks.get(name_or_id)
        if found is not None:
            return found if (found.account, found.region) == (account, region) else None
        return next((stack for stack in self.live(account, region) if stack.name == name_or_id), None)

    def get(self, account: str, region: str, name_or_id: str) -> Stack:
        """As ``find``; raises ServiceError ``ValidationError`` when there is none."""
        stack = self.find(account, region, name_or_id)
        if stack is None:
            raise api_error("cloudformation.no_stack", stack=name_or_id)
        return stack

    def holder(self, place: Stack, type_name: str, physical_id: str) -> Stack | None:
        """The stack of the same account and Region that has the resource."""
        for stack in self.live(place.account, place.region):
            if any((each.type, each.physical_id) == (type_name, physical_id) for each in stack.resources.values()):
                return stack
        return None

    def exports(self, account: str, region: str) -> dict[str, tuple[Stack, Output]]:
        """Every export of an account and Region by its name."""
        return {
            output.export_name: (stack, output)
            for stack in self.live(account, region)
            for output in stack.outputs
            if output.export_name is not None
        }

    def importers(self, exporter: Stack, export_name: str) -> list[str]:
        """Names of the stacks that import this export, sorted."""
        stacks = self.live(exporter.account, exporter.region)
        return sorted(stack.name for stack in stacks if export_name in stack.imports)
