"""How programs divide the sizes of a model over the cores that share it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, structs

from neuron_cluster.catalog.sourced_row import SourcedRow

Kind = Literal["divided", "padded"]
Width = Literal["divided", "padded", "whole"]


class FamilyDivision(Struct, frozen=True, kw_only=True):
    """Values that replace those of the row for families of models; None: as the row has it."""

    names: tuple[str, ...]
    heads: Kind | None = None
    hidden: Width | None = None
    vocabulary_multiple: int | None = None


class ModelDivision(SourcedRow, frozen=True, kw_only=True):
    """Requirements of one program on the sizes of a model. ``name`` is that of a framework, or ``training``."""

    title: str
    heads: Kind
    """The division of query heads."""
    key_value_heads: Literal["repeated", "converted"]
    hidden: Width
    """The division of the hidden size of the table of tokens."""
    intermediate: Kind
    """The division of the feed-forward network and of shared experts."""
    expert_intermediate: Kind
    """The division of routed experts."""
    vocabulary_multiple: int
    """To which the vocabulary is padded before it is divided; 0: to any number."""
    families: tuple[FamilyDivision, ...] = ()

    def of_family(self, family: str) -> ModelDivision:
        """The row as it holds for models of the family."""
        own = next((row for row in self.families if family in row.names), None)
        given = {} if own is None else {key: value for key, value in structs.asdict(own).items() if key != "names"}
        return structs.replace(self, **{key: value for key, value in given.items() if value is not None})
