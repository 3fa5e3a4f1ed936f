"""Drawn environments and edits as a person reads them: YAML, and the difference between two files."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import Any

import yaml
from yaml.cyaml import CEmitter
from yaml.representer import SafeRepresenter
from yaml.resolver import BaseResolver

Tree = dict[str, Any]
"""A file as the toolkit reads it: mappings, lists, and the texts of scalars."""


class _Texts(CEmitter, SafeRepresenter, BaseResolver):
    """Writes every scalar as it was drawn: nothing is quoted for looking like a number, and no list is an alias."""

    def __init__(self, stream: Any, **options: Any) -> None:
        known = ("indent", "width", "allow_unicode")
        CEmitter.__init__(self, stream, **{name: options[name] for name in known})
        SafeRepresenter.__init__(self, default_flow_style=False, sort_keys=False)
        BaseResolver.__init__(self)

    def ignore_aliases(self, data: Any) -> bool:
        del data
        return True

    def represent_str(self, data: str) -> yaml.ScalarNode:
        # A plain empty scalar would be a key without a value.
        return self.represent_scalar("tag:yaml.org,2002:str", data, style=None if data else '"')


_Texts.add_representer(str, _Texts.represent_str)


def yaml_of(tree: Any) -> str:
    return str(yaml.dump(tree, Dumper=_Texts, indent=2, width=10_000, allow_unicode=True))


class Shown:
    """Something that Hypothesis prints as the text it is, line by line."""

    @property
    def text(self) -> str:
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"\n{self.text}"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        del cycle
        for line in ["", *self.text.splitlines()]:
            printer.text(line)
            printer.break_()


@dataclass(frozen=True, repr=False, eq=False)
class Environment(Shown):
    """One environment file."""

    tree: Tree

    @property
    def text(self) -> str:
        return yaml_of(self.tree)


@dataclass(frozen=True, repr=False, eq=False)
class Edit(Shown):
    """An edit of one field, by its pattern path: ``eks.node_groups[].count.max``."""

    path: str
    before: Tree
    after: Tree

    @property
    def text(self) -> str:
        old, new = yaml_of(self.before), yaml_of(self.after)
        lines = difflib.unified_diff(old.splitlines(), new.splitlines(), "before", "after", lineterm="", n=2)
        return f"{old}\nthe edit, of {self.path}:\n" + "\n".join(lines)
