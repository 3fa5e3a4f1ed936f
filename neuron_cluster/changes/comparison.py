"""Deployed templates beside new ones: what happens to each resource, references followed from stack to stack."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from neuron_cluster.catalog.resource_schema import PropertyPath, create_only_properties
from neuron_cluster.changes.effects import Cause, Effect, EffectKind
from neuron_cluster.changes.handed_over_logs import handed_over_log_groups
from neuron_cluster.changes.normal_form import Address, Reference, references
from neuron_cluster.changes.shown_values import shown, shown_pair
from neuron_cluster.changes.stack_set import StackSet, Template

NEW_WITH_EVERY_UPDATE = {"AWS::EC2::LaunchTemplate": frozenset({"LatestVersionNumber", "DefaultVersionNumber"})}
"""Attributes that an update in place changes; all others stay what they are as long as the resource does.

Source: CloudFormation reference, AWS::EC2::LaunchTemplate, return values.
"""


class Comparison:
    """Two states of the stacks of one environment.

    A stack that is deployed and not among the new ones counts as taken out: its resources are removed, though its
    exports stay until somebody deletes it.
    """

    def __init__(self, deployed: Mapping[str, Template], new: Mapping[str, Template]) -> None:
        self.before = StackSet(deployed)
        self.after = StackSet({**deployed, **new})
        self.gone_stacks = frozenset(deployed) - frozenset(new)
        staying = {address for address in self.after.addresses() if address.stack not in self.gone_stacks}
        self._both = sorted(self.before.addresses() & staying)
        self._old = {address: self.before.properties(address) for address in self._both}
        self._new = {address: self.after.properties(address) for address in self._both}
        gone = sorted(self.before.addresses() - staying)
        self.handed_over = handed_over_log_groups(self.before, self.after, gone)
        """By address: the name of a log group that leaves its stack and stays, because a custom resource adopts it."""
        self.removed = [address for address in gone if address not in self.handed_over]
        self.added = sorted(staying - self.before.addresses())
        self.replaced = self._replaced_directly()
        self.updated = {a for a in self._both if a not in self.replaced and self._old[a] != self._new[a]}
        while self._follow_references():
            pass

    def effects(self) -> list[Effect]:
        """Everything that happens, by stack and logical id; resources that stay as they are do not occur."""
        found = [Effect(a, self.type_of(a), EffectKind.REMOVED) for a in self.removed]
        found += [Effect(a, self.type_of(a), EffectKind.ADDED) for a in self.added]
        found += [Effect(a, self.type_of(a), EffectKind.REPLACED, cause) for a, cause in self.replaced.items()]
        found += [Effect(a, self.type_of(a), EffectKind.UPDATED) for a in self.updated]
        return sorted(found, key=lambda effect: effect.address)

    def type_of(self, address: Address) -> str:
        """The resource's type; the deployed one, should it differ."""
        return str((self.before if address in self.before.addresses() else self.after).resource(address)["Type"])

    def has_moved(self, reference: Reference) -> bool:
        """Whether a reference, unchanged as text, gives another value than before."""
        if reference.target in self.replaced:
            return True
        if reference.target not in self.updated:
            return False
        return reference.attribute in NEW_WITH_EVERY_UPDATE.get(self.type_of(reference.target), ())

    def origin(self, address: Address) -> Address:
        """The resource at the end of a chain of references, whose own edit replaces this one."""
        through = self.replaced[address].through
        return address if through is None or through not in self.replaced else self.origin(through)

    def _replaced_directly(self) -> dict[Address, Cause]:
        causes = ((address, self._difference(address)) for address in self._both)
        return {address: cause for address, cause in causes if cause is not None}

    def _difference(self, address: Address) -> Cause | None:
        """The first create-only property whose value is another one."""
        old_type, new_type = (s.resource(address)["Type"] for s in (self.before, self.after))
        if old_type != new_type:
            return Cause("Type", old_type, new_type)
        for path in sorted(create_only_properties(old_type)):
            old, new = value_at(self._old[address], path), value_at(self._new[address], path)
            if old != new:
                return Cause("/".join(path), *shown_pair(old, new))
        return None

    def _follow_references(self) -> bool:
        """One step along the references; false when nothing new came of it."""
        moved = False
        for address in self._both:
            if address in self.replaced:
                continue
            cause = self._moved_reference(address)
            if cause is not None:
                self.replaced[address] = cause
                self.updated.discard(address)
                moved = True
            elif address not in self.updated and any(map(self.has_moved, references(self._new[address]))):
                self.updated.add(address)
                moved = True
        return moved

    def _moved_reference(self, address: Address) -> Cause | None:
        for path in sorted(create_only_properties(self.type_of(address))):
            value = value_at(self._new[address], path)
            for reference in references(value):
                if self.has_moved(reference):
                    return Cause("/".join(path), shown(value), shown(value), reference.target)
        return None


def value_at(properties: Any, path: PropertyPath) -> Any:
    """The value at a property path; a list of values below ``*``; None when absent."""
    if not path:
        return properties
    if path[0] == "*":
        return [value_at(item, path[1:]) for item in properties] if isinstance(properties, list) else None
    return value_at(properties.get(path[0]), path[1:]) if isinstance(properties, dict) else None
