"""A change guard: one class, one reason why an edit must not be deployed over what exists, or a warning about it.

Its docstring is laid out as that of a rule: the title states what must hold, the rest gives the reason. Guards are
discovered by their place, in this folder and in those of providers.
"""

from __future__ import annotations

import abc
from collections.abc import Iterator
from typing import ClassVar

from msgspec import Struct

from local_aws.cloudformation.values import Address
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.findings.references import CitesReferences
from neuron_cluster.findings.spec import THIS_TOOLKIT


class Violation(Struct, frozen=True):
    """A violation that a guard found. ``guards.run`` adds the guard's id."""

    address: Address
    """The resource; only the stack where the finding is about a whole stack."""
    message: str
    hint: str


class Guard(CitesReferences, abc.ABC):
    """Compares the deployed templates with the new ones."""

    id: ClassVar[str]
    """``E90`` or ``W90`` and two digits; W9504 and those from E9576 on are outside of this range."""
    source: ClassVar[str] = THIS_TOOLKIT
    """Where the fact behind the guard can be read."""
    key: ClassVar[tuple[str, ...]] = ()
    """The key of the file that its findings are about; empty where that is the key of the resource."""
    only_without_errors: ClassVar[bool] = False
    """Whether it runs only where no other guard has an error: else nothing is deployed."""

    @abc.abstractmethod
    def check(self, comparison: Comparison) -> Iterator[Violation]: ...
