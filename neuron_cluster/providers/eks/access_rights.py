"""The rights of access entries of the file for `status`: access policies with their scope, and Kubernetes groups."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from neuron_cluster.aws import eks_state
from neuron_cluster.aws.reading import NotRead, readings
from neuron_cluster.findings.text import counted, listed
from neuron_cluster.protocol.status import StatusLine, StatusQuery, error, healthy, warning
from neuron_cluster.providers.eks.plan.eks_plan import ADMIN_POLICY, VIEW_POLICY, EksPlan

RIGHTS = "rights of access entries"
OF_CLUSTER = "cluster"


class Rights(Struct, frozen=True):
    """The rights that the file gives a principal: an access policy for the whole cluster, or a Kubernetes group."""

    policy: str = ""
    group: str = ""

    @property
    def groups(self) -> set[str]:
        return {self.group} - {""}

    @property
    def policies(self) -> dict[str, str]:
        """The scope by the name of the policy."""
        return {self.policy: OF_CLUSTER} if self.policy else {}


def planned_rights(section: EksPlan) -> dict[str, Rights]:
    """The rights of each principal, of which the file names none twice (E2008)."""
    found = {principal: Rights(policy=ADMIN_POLICY) for principal in section.admins}
    found |= {principal: Rights(policy=VIEW_POLICY) for principal in section.viewers}
    for team in section.teams:
        found |= {each.arn: Rights(group=team.group) for each in team.members}
        found |= {each.arn: Rights(group=team.operator_group) for each in team.operators}
    return found


def rights_lines(query: StatusQuery, section: EksPlan, principals: Sequence[str]) -> Iterator[StatusLine]:
    """Yields a line for each principal with other rights, and one for all others; two calls for each principal."""
    target, planned = query.access.target, planned_rights(section)
    read_policies = functools.partial(eks_state.access_policies, target, section.name)
    read_groups = functools.partial(eks_state.kubernetes_groups, target, section.name)
    policies = readings("eks", {each: functools.partial(read_policies, each) for each in principals})
    groups = readings("eks", {each: functools.partial(read_groups, each) for each in principals})
    differing = 0
    for principal in principals:
        entry = _Entry(query, section, principal, planned[principal])
        lines = [*entry.of_policies(policies[principal]), *entry.of_groups(groups[principal])]
        differing += bool(lines)
        yield from lines
    unread = [found for found in (*policies.values(), *groups.values()) if isinstance(found, NotRead)]
    for call in dict.fromkeys(found.call for found in unread):
        yield query.not_read(RIGHTS, next(found for found in unread if found.call == call))
    if not unread and differing < len(principals):
        yield healthy(RIGHTS, f"those of {counted(len(principals) - differing, 'principal')} as in the file")


class _Entry:
    """The access entry of one principal of the file."""

    def __init__(self, query: StatusQuery, section: EksPlan, principal: str, planned: Rights) -> None:
        self.query, self.principal, self.planned = query, principal, planned
        self.names = {"cluster_name": section.name, "principal_arn": principal}

    def of_policies(self, found: Mapping[str, str] | NotRead) -> Iterator[StatusLine]:
        if isinstance(found, NotRead):
            return
        lacking = [name for name, scope in self.planned.policies.items() if found.get(name) != scope]
        if lacking:
            yield error(self.principal, f"it lacks {self._policy_words(lacking, found)}", self._associate(lacking))
        if further := [name for name in found if name not in self.planned.policies]:
            cause = f"it has {self._policy_words(further, found)}, which the file does not give it"
            yield warning(self.principal, cause, self._disassociate(further))

    def of_groups(self, found: Sequence[str] | NotRead) -> Iterator[StatusLine]:
        if isinstance(found, NotRead) or set(found) == self.planned.groups:
            return
        groups = f'["{self.planned.group}"]' if self.planned.group else "[]"
        command = self.query.access.aws_command("eks update-access-entry", **self.names, kubernetes_groups=groups)
        if lacking := self.planned.groups - set(found):
            yield error(self.principal, f"it is not in the Kubernetes group {listed(sorted(lacking))}", command)
        else:
            further = listed(sorted(set(found) - self.planned.groups))
            cause = f"it is in the Kubernetes group {further}, which the file does not give it"
            yield warning(self.principal, cause, command)

    def _policy_words(self, names: Sequence[str], found: Mapping[str, str]) -> str:
        """Policies with the scope that EKS has; without it where the principal does not have them at all."""
        return listed(
            f"{name} ({found[name]} only)" if found.get(name, OF_CLUSTER) != OF_CLUSTER else name for name in names
        )

    def _associate(self, names: Sequence[str]) -> str:
        given = {"access_scope": f"type={OF_CLUSTER}"}
        return self._commands("eks associate-access-policy", names, given)

    def _disassociate(self, names: Sequence[str]) -> str:
        return self._commands("eks disassociate-access-policy", names, {})

    def _commands(self, operation: str, names: Sequence[str], given: Mapping[str, str]) -> str:
        place = f"arn:{self.query.plan.partition}:eks::aws:cluster-access-policy"
        return " && ".join(
            self.query.access.aws_command(operation, **self.names, policy_arn=f"{place}/{name}", **given)
            for name in names
        )
