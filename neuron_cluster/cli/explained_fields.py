"""Every field of ``explain``: its description in the model, and its row in the change table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from neuron_cluster.changes.change_table import change_table
from neuron_cluster.cli.catalog_values import values_in_catalog
from neuron_cluster.config.change_row import ChangeRow, FieldEffect
from neuron_cluster.config.field_docs import (
    FieldDoc,
    KindDoc,
    example_yaml,
    field_doc,
    field_of_own_key,
    pattern_paths,
    without_positions,
)
from neuron_cluster.findings.suggestions import MAX_SUGGESTIONS, suggestions
from neuron_cluster.protocol.registry import registered
from neuron_cluster.report.plain_data import plain
from neuron_cluster.report.text_page import Pairs, TextPage

EDITS = {
    FieldEffect.NONE: "changes no resource",
    FieldEffect.IN_PLACE: "updates resources in place",
    FieldEffect.DISPOSABLE: "replaces or destroys resources that hold no data",
    FieldEffect.PUBLISHED: "replaces the cluster, or a resource whose name others use: `deploy` stops",
    FieldEffect.STATE: "replaces or destroys resources that hold data: `deploy` stops",
}
"""Effects of an edit of a field in CloudFormation; the row of the change table names the resources."""


class ExplainedField(Struct, frozen=True):
    """One field, for people and for programs."""

    page: TextPage
    data: dict[str, Any]


def explained_field(topic: str) -> ExplainedField | None:
    """The field at a path, with or without positions in lists; None when there is none.

    Of a key of the author's own, such as a label, it is the field that holds it.
    """
    doc = field_doc(topic) or field_doc(field_of_own_key(topic) or "")
    if doc is None:
        return None
    row = change_table(registered())[doc.path]
    example = example_yaml(doc.path, doc.example)
    allowed = values_in_catalog(doc.path) or doc.allowed
    facts = {
        "allowed": allowed,
        "default": _default(doc),
        "only with": f"kind {' or '.join(doc.only_in_kinds)}" if doc.only_in_kinds else "",
        "an edit": f"{_edit(row)}. {row.what}",
        "how to": row.steps,
    }
    page = TextPage(
        heading=doc.path,
        lead=doc.meaning,
        paragraphs=(doc.about,),
        facts=tuple((label, text) for label, text in facts.items() if text),
        lists=(("kinds", _kinds(doc)), ("keys", _lines(doc.keys, by_key=True))),
        example=example,
    )
    change = {**plain(row), "is_refused": row.effect.is_blocked}
    return ExplainedField(page, {**plain(doc), "allowed": allowed, "example_yaml": example, "change": change})


def sections() -> Pairs:
    """The keys at the top of the file, and the mappings and lists below them that have keys of their own."""
    known = (field_doc(path) for path in pattern_paths())
    return _lines(doc.path for doc in known if doc and (doc.keys or "." not in doc.path))


def similar_fields(topic: str) -> list[str]:
    """Paths that end like the one that was given, else those that are spelt like it."""
    plain_topic = without_positions(topic).strip(".").lower()
    ending = [path for path in pattern_paths() if path.endswith(f".{plain_topic}")]
    return ending[:MAX_SUGGESTIONS] or suggestions(plain_topic, pattern_paths()) or _similar_keys(plain_topic)


def _similar_keys(topic: str) -> list[str]:
    """Paths whose last key is spelt like the last one that was given."""
    by_key = {path.rpartition(".")[2]: path for path in pattern_paths()}
    return [by_key[key] for key in suggestions(topic.rpartition(".")[2], by_key)]


def _edit(row: ChangeRow) -> str:
    return f"in the worst case {EDITS[row.effect]}" if row.depends else EDITS[row.effect]


def _default(doc: FieldDoc) -> str:
    if doc.is_required:
        return "none: the key is required"
    return f"{doc.default} (derived from the rest of the file)" if doc.is_derived else doc.default


def _kinds(doc: FieldDoc) -> Pairs:
    return tuple((kind.kind, " ".join([kind.meaning, *_keys_of(kind)])) for kind in doc.kinds)


def _keys_of(kind: KindDoc) -> list[str]:
    """``Required keys: a, b.`` and ``Optional keys: c.``, whichever there are."""
    others = [key for key in kind.keys if key not in kind.required]
    return [
        f"{verb} {', '.join(keys)}."
        for verb, keys in (("Required keys:", kind.required), ("Optional keys:", others))
        if keys
    ]


def _lines(paths: Iterable[str], *, by_key: bool = False) -> Pairs:
    """A line for each field: its path or last key, its meaning in one sentence, whether it must be written."""
    found = (field_doc(path) for path in paths)
    return tuple((doc.key if by_key else doc.path, _line(doc)) for doc in found if doc)


def _line(doc: FieldDoc) -> str:
    needed = "required" if doc.is_required else ""
    kinds = f"with kind {' or '.join(doc.only_in_kinds)}" if doc.only_in_kinds else ""
    where = " ".join(part for part in (needed, kinds) if part)
    return f"{doc.summary} {where[0].upper()}{where[1:]}." if where else doc.summary
