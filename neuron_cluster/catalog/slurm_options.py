"""Options of programs of Slurm, by version."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.slurm_value import SlurmValue
from neuron_cluster.catalog.sourced_row import SourcedRow

Form = Literal["required", "optional", "none"]
OLDEST = "24.11"


class SlurmOption(Struct, frozen=True, kw_only=True):
    """One option."""

    short: str | None = None
    """The letter of its short form."""
    forms: FrozenMap[str, Form] = FrozenMap({OLDEST: "required"})
    """Whether the option has a value, by the first Slurm version with this form, the oldest first."""
    value: SlurmValue | None = None
    """The values that Slurm reads; None for free text."""
    alias_of: str | None = None
    """The option of which it is another name."""
    bearing: Literal["none", "command", "judged", "rejected", "unknown"] = "none"
    """Whether it decides where a job runs, or whether it does: the comment of the data file explains each."""
    reason: str = ""
    """Why it is rejected, or what is unknown."""

    def form(self, version: str) -> Form | None:
        """None in a version without the option."""
        known = [form for first, form in self.forms.items() if first <= version]
        return known[-1] if known else None


class SlurmOptions(SourcedRow, frozen=True, kw_only=True):
    """The options of one program (``name`` is ``sbatch``)."""

    options: FrozenMap[str, SlurmOption]
    """The options of all versions, by long name."""
    excludes: tuple[tuple[str, ...], ...]
    """Names of which a job has one at most."""
    array_indices: int
    """How many a job array may have, from 0 on, unless the controller sets another number."""

    def contradictions(self) -> Iterator[tuple[str, str]]:
        for name, option in self.options.items():
            if (option.bearing in ("rejected", "unknown")) is not bool(option.reason):
                yield "options", f"{name}: rejected and unknown options, and no others, have a reason"
            if list(option.forms) != sorted(option.forms):
                yield "options", f"{name}: forms are not in the order of versions"
            if option.value is not None:
                yield from (("options", f"{name}: {reason}") for reason in option.value.contradictions())
        named = {name for group in self.excludes for name in group}
        named |= {option.alias_of for option in self.options.values() if option.alias_of is not None}
        yield from (("options", f"{name} is missing") for name in sorted(named.difference(self.options)))
