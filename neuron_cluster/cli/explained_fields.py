"""Every field that ``explain`` knows: what the model says about it, and what the change table says about an edit."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from neuron_cluster.changes.change_table import CHANGE_TABLE
from neuron_cluster.changes.effect_words import effect_words
from neuron_cluster.cli.catalog_values import values_in_catalog
from neuron_cluster.config.field_example import example_yaml
from neuron_cluster.config.field_words import (
    FieldWords,
    KindWords,
    field_of_own_key,
    field_words,
    pattern_paths,
    without_positions,
)
from neuron_cluster.findings.suggestions import MOST_SUGGESTIONS, suggestions
from neuron_cluster.report.plain_data import plain
from neuron_cluster.report.text_page import Pairs, TextPage


class ExplainedField(Struct, frozen=True):
    """One field, for people and for programs."""

    page: TextPage
    data: dict[str, Any]


def explained_field(topic: str) -> ExplainedField | None:
    """The field at a path, with or without positions in lists; None when there is none.

    Of a key of the author's own, such as a label, it is the field that holds it.
    """
    words = field_words(topic) or field_words(field_of_own_key(topic) or "")
    if words is None:
        return None
    row = CHANGE_TABLE[words.path]
    example = example_yaml(words.path, words.example)
    allowed = values_in_catalog(words.path) or words.allowed
    facts = {
        "allowed": allowed,
        "default": _default(words),
        "only with": f"kind {' or '.join(words.only_in_kinds)}" if words.only_in_kinds else "",
        "an edit": f"{effect_words(row)}. {row.what}",
        "how to": row.steps,
    }
    page = TextPage(
        heading=words.path,
        lead=words.meaning,
        paragraphs=(words.about,),
        facts=tuple((label, said) for label, said in facts.items() if said),
        lists=(("kinds", _kinds(words)), ("keys", _lines(words.keys, by_key=True))),
        example=example,
    )
    change = {**plain(row), "is_refused": row.effect.is_refused}
    return ExplainedField(page, {**plain(words), "allowed": allowed, "example_yaml": example, "change": change})


def sections() -> Pairs:
    """The keys at the top of the file, and the mappings and lists below them that have keys of their own."""
    known = (field_words(path) for path in pattern_paths())
    return _lines(words.path for words in known if words and (words.keys or "." not in words.path))


def near_fields(topic: str) -> list[str]:
    """Paths that end like the one that was given, else those that are spelt like it."""
    plain_topic = without_positions(topic).strip(".").lower()
    ending = [path for path in pattern_paths() if path.endswith(f".{plain_topic}")]
    return ending[:MOST_SUGGESTIONS] or suggestions(plain_topic, pattern_paths()) or _near_keys(plain_topic)


def _near_keys(topic: str) -> list[str]:
    """Paths whose last key is spelt like the last one that was given."""
    by_key = {path.rpartition(".")[2]: path for path in pattern_paths()}
    return [by_key[key] for key in suggestions(topic.rpartition(".")[2], by_key)]


def _default(words: FieldWords) -> str:
    if words.is_required:
        return "none: it must be written"
    return f"{words.default} (derived from the rest of the file)" if words.is_derived else words.default


def _kinds(words: FieldWords) -> Pairs:
    return tuple((kind.kind, " ".join([kind.meaning, *_keys_of(kind)])) for kind in words.kinds)


def _keys_of(kind: KindWords) -> list[str]:
    """``Needs a, b.`` and ``Takes c.``, whichever there are."""
    others = [key for key in kind.keys if key not in kind.required]
    return [f"{verb} {', '.join(keys)}." for verb, keys in (("Needs", kind.required), ("Takes", others)) if keys]


def _lines(paths: Iterable[str], *, by_key: bool = False) -> Pairs:
    """A line for each field: its path or last key, its meaning in one sentence, whether it must be written."""
    found = (field_words(path) for path in paths)
    return tuple((words.key if by_key else words.path, _line(words)) for words in found if words)


def _line(words: FieldWords) -> str:
    needed = "required" if words.is_required else ""
    kinds = f"with kind {' or '.join(words.only_in_kinds)}" if words.only_in_kinds else ""
    where = " ".join(part for part in (needed, kinds) if part)
    return f"{words.summary} {where[0].upper()}{where[1:]}." if where else words.summary
