"""Broken files: an environment file with a few mistakes, of the kinds that people and editors make."""

from __future__ import annotations

import copy
import string
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from drawn import environments
from hypothesis import strategies as st
from repair import Keys, node_at, shipped
from yaml_text import Shown, Tree, yaml_of

from neuron_cluster.config.fields import walk_fields

OTHER_KINDS = [
    *["", "-1", "0", "99999999999", "9999999999999", "1.5", "true", "null", "~", "1.30", "0x10", "a" * 300],
    *["arn:aws:iam::1:role/x", "::::", "[", "{", "*x", "&x", "!!int 3", "a: b", "- a", "%", "`", "\t", "ÿ\u2028é"],
    *["10.0.0.0/33", "256.1.1.1/8", "10.20.0.1/16", "us-west-2a", "trn1.64xlarge", "cr-0", "😀", "\u202egnp.exe"],
]
"""Texts in the place of any value."""
STRUCTURES: list[Any] = [{}, [], {"a": "b"}, [[]], [{}], ["x", "x"], {"": ""}, [["a"], {"b": []}]]
KNOWN_KEYS = sorted({path.rpartition(".")[2] for path, _ in walk_fields()})


@dataclass(frozen=True, repr=False, eq=False)
class Broken(Shown):
    """A file that may hold anything."""

    content: bytes

    @property
    def text(self) -> str:
        return self.content.decode("utf-8", errors="backslashreplace")


@st.composite
def broken_files(draw: st.DrawFn) -> Broken:
    """A good file after one to three mistakes in its values and keys, then sometimes in its text or bytes."""
    start = st.sampled_from(shipped()) | environments().map(lambda environment: environment.tree)
    tree = copy.deepcopy(draw(start))
    for _ in range(draw(st.integers(0, 3))):
        draw(st.sampled_from(MISTAKES))(draw, tree)
    text = yaml_of(tree)
    for _ in range(draw(st.integers(0, 2))):
        text = draw(misprinted(text))
    return Broken(draw(damaged(text.encode("utf-8", errors="surrogatepass"))))


def other_value(draw: st.DrawFn, tree: Tree) -> None:
    keys = draw(st.sampled_from(list(places(tree))))
    node_at(tree, keys[:-1])[keys[-1]] = copy.deepcopy(draw(st.sampled_from([*OTHER_KINDS, *STRUCTURES])))


def other_key(draw: st.DrawFn, tree: Tree) -> None:
    """A key that lost, gained or exchanged a letter."""
    keys = draw(st.sampled_from([found for found in places(tree) if isinstance(found[-1], str) and found[-1]]))
    key, around = str(keys[-1]), node_at(tree, keys[:-1])
    position = draw(st.integers(0, len(key) - 1))
    letter = draw(st.sampled_from(["", *string.ascii_letters, "-", " ", "."]))
    around[key[:position] + letter + key[position + 1 :]] = around.pop(key)


def further_key(draw: st.DrawFn, tree: Tree) -> None:
    """A key that stands elsewhere in the model, or nowhere."""
    around = node_at(tree, draw(st.sampled_from([(), *places(tree)])))
    if isinstance(around, dict):
        around[draw(st.sampled_from(KNOWN_KEYS) | st.text(max_size=5))] = draw(
            st.sampled_from([*OTHER_KINDS, *STRUCTURES])
        )


def no_value(draw: st.DrawFn, tree: Tree) -> None:
    keys = draw(st.sampled_from(list(places(tree))))
    del node_at(tree, keys[:-1])[keys[-1]]


def twice(draw: st.DrawFn, tree: Tree) -> None:
    """A list item once more."""
    lists = [found for found in places(tree) if isinstance(node_at(tree, found), list)]
    if lists:
        items = node_at(tree, draw(st.sampled_from(lists)))
        items.extend(copy.deepcopy(items[:1]))


MISTAKES: list[Callable[[st.DrawFn, Tree], None]] = [other_value, other_key, further_key, no_value, twice]


def places(node: Any, above: Keys = ()) -> Iterator[Keys]:
    """The keys of everything in the tree but the whole; "schema" stays behind if all else is gone."""
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, item in items:
        yield (*above, key)
        yield from places(item, (*above, key))
    if not above and not node:
        node["schema"] = "1"
        yield ("schema",)


@st.composite
def misprinted(draw: st.DrawFn, text: str) -> str:
    """A line that is lost, doubled, moved to the side, cut off, or has a stray character."""
    lines = text.splitlines(keepends=True) or [""]
    position = draw(st.integers(0, len(lines) - 1))
    line = lines[position]
    changed = {
        "lost": "",
        "doubled": line * 2,
        "to the right": f"  {line}",
        "to the left": line.removeprefix("  "),
        "with a tab": f"\t{line}",
        "cut off": line[: len(line) // 2],
        "without a colon": line.replace(":", "", 1),
        "with a stray character": line[:3] + draw(st.sampled_from("{}[]&*#?|-<>=!%@`'\":,\0\x07\u2028é")) + line[3:],
        "another document": f"---\n{line}",
    }
    lines[position] = changed[draw(st.sampled_from(sorted(changed)))]
    return "".join(lines)


@st.composite
def damaged(draw: st.DrawFn, content: bytes) -> bytes:
    """Mostly as it is; now and then cut off, in another encoding, or with a byte that no text has."""
    position = draw(st.integers(0, len(content)))
    return draw(
        st.sampled_from(
            [
                *[content] * 6,
                content[:position],
                content[:position] + b"\xff" + content[position:],
                content.decode("utf-8", errors="replace").encode("utf-16"),
                b"\xef\xbb\xbf" + content.replace(b"\n", b"\r\n"),
            ]
        )
    )
