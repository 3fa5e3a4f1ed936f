"""One CloudFormation stack of an environment, described in one place for all packages."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from neuron_cluster.config.source_map import KeyPath
    from neuron_cluster.plan.cluster_plan import ClusterPlan


class Holds(enum.Enum):
    """The loss with a deletion of the stack."""

    NOTHING = "nothing"
    """A deploy creates everything again."""
    OBJECTS = "objects"
    """Objects that users create in a control plane."""
    DATA = "data"
    """Files and objects of users: `destroy` keeps the stack while it holds any."""


class StackSpec(Struct, frozen=True, kw_only=True):
    """A stack that an environment can have. A spec that was released stays, so that `destroy` finds its stack."""

    stack_key: str
    """The stack is named ``<environment>-<stack_key>``: a public contract."""
    purpose: str
    """The contents of the stack, for tables."""
    key: str
    """Key of the file that enables it, with dots."""
    module: str
    """Module of the CDK stack, with a function ``build(context)``; a name, because a plan imports no CDK."""
    is_planned: Callable[[ClusterPlan], bool] | None = None
    """Whether an environment has it; None: each one with the section of its provider."""
    after: tuple[str, ...] = ()
    """Stacks that are deployed before it, where the environment has them; it is deleted before them."""
    waits_for: tuple[str, ...] = ()
    """Stacks of ``after`` that a deploy must wait for though no value of theirs is in its template; for the others CDK
    finds out whether it must."""
    holds: Holds = Holds.NOTHING
    command: str = ""
    """Verb of the command that deploys it, with the stacks that it is after; empty: `deploy`."""
    resources: Callable[[ClusterPlan], int] | None = None
    """How many resources its template has; None where the number does not grow with a list of the file."""

    @property
    def path(self) -> KeyPath:
        """``key`` as a path."""
        return tuple(self.key.split("."))
