"""Deployed templates compared with new ones: the effect on each resource, with references from stack to stack."""

from __future__ import annotations

from collections.abc import Mapping

from local_aws.cloudformation.replacements import ReplacementCause, Replacements
from local_aws.cloudformation.values import Address, Reference
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.changes.effects import Cause, Effect, EffectKind
from neuron_cluster.changes.handed_over_logs import handed_over_log_groups
from neuron_cluster.changes.shown_values import shown, shown_pair
from neuron_cluster.changes.stack_set import StackSet, Template


class Comparison:
    """Two states of the stacks of one environment.

    A stack that is deployed and not among the new ones counts as taken out: its resources are removed, though its
    exports stay until the user deletes it.
    """

    def __init__(self, deployed: Mapping[str, Template], new: Mapping[str, Template], catalog: Catalog) -> None:
        self.catalog = catalog
        self.before = StackSet(deployed)
        self.after = StackSet({**deployed, **new})
        self.gone_stacks = frozenset(deployed) - frozenset(new)
        staying = {address for address in self.after.addresses() if address.stack not in self.gone_stacks}
        both = sorted(self.before.addresses() & staying)
        before, after = ({address: stacks.state(address) for address in both} for stacks in (self.before, self.after))
        self._replacements = Replacements(before, after, self.catalog.create_only_properties)
        self.updated = self._replacements.updated
        gone = sorted(self.before.addresses() - staying)
        self.handed_over = handed_over_log_groups(self.before, self.after, gone)
        """Names of log groups that leave their stack and stay, because a custom resource adopts them; by address."""
        self.removed = [address for address in gone if address not in self.handed_over]
        self.added = sorted(staying - self.before.addresses())
        self.replaced = {address: _described(cause) for address, cause in self._replacements.replaced.items()}

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
        """Whether a reference, unchanged as text, returns another value than before."""
        return self._replacements.has_moved(reference)

    def origin(self, address: Address) -> Address:
        """The resource at the end of a chain of references, whose own edit replaces this one."""
        through = self.replaced[address].through
        return address if through is None or through not in self.replaced else self.origin(through)


def _described(cause: ReplacementCause) -> Cause:
    path = "/".join(cause.path)
    if cause.through is not None:
        return Cause(path, shown(cause.before), shown(cause.after), cause.through)
    values = (cause.before, cause.after) if path == "Type" else shown_pair(cause.before, cause.after)
    return Cause(path, *values)
