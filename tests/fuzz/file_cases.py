"""Environment files after mistakes at random: in their bytes, in their structure, and many of one kind."""

from __future__ import annotations

import copy
from pathlib import Path
from random import Random
from typing import Any

import yaml

ENVIRONMENTS = Path(__file__).parents[2] / "environments"
MAX_COPIES = 2_000
"""The maximum of copies of one list item: a file made to keep the reader busy."""
OFTEN_MANY = 0.05
"""The share of endless repetitions among files that repeat an item: each takes as long as twenty others."""
ODD_TEXTS = [
    *["", "-1", "0", "9" * 30, "1.5", "true", "null", "~", "1.30", "0x10", "a" * 3_000, "x" * 70_000],
    *["arn:aws:iam::1:role/x", "::::", "[", "{", "*x", "&x", "!!int 3", "!!python/object/apply:os.system [true]"],
    *["10.0.0.0/33", "0.0.0.0/0", "us-west-2a", "trn1.64xlarge", "cr-0", "\u202egnp.exe", "\x1b[31m", "ÿ\u2028é", "😀"],
]
ODD_BYTES = [
    b"\x1b[2J",
    b"\xc2\x9b31m",
    b"\r",
    b"\t",
    b"  ",
    b"- ",
    b": ",
    b'"',
    b"{",
    b"[",
    b"&a ",
    b"*a",
    b"<<: ",
    b"---\n",
    b"!!x ",
]
ODD_STRUCTURES: list[Any] = [{}, [], {"a": "b"}, [[]], [{}], ["x", "x"], {"": ""}, [["a"], {"b": []}], None]


def shipped() -> list[bytes]:
    """The shipped environment files."""
    return [path.read_bytes() for path in sorted(ENVIRONMENTS.glob("*.yaml"))]


def file_case(random: Random, files: list[bytes]) -> bytes:
    """One file, of up to about 1 MiB."""
    content = random.choice(files)
    if random.random() < 0.8:
        content = _broken_structure(random, content)
    if random.random() < 0.3:
        content = _broken_bytes(random, content)
    return content


def _broken_structure(random: Random, content: bytes) -> bytes:
    tree: Any = yaml.load(content, Loader=yaml.CBaseLoader)  # noqa: S506 - texts only
    for mistake in random.sample(MISTAKES, random.randint(1, 4)):  # many of many would be memory of the fuzzer's own
        mistake(random, tree)
    return str(yaml.dump(tree, Dumper=yaml.CSafeDumper, sort_keys=False, allow_unicode=random.random() < 0.5)).encode()


def _other_value(random: Random, tree: Any) -> None:
    around, key = _place(random, tree)
    around[key] = copy.deepcopy(random.choice([*ODD_TEXTS, *ODD_STRUCTURES]))


def _other_key(random: Random, tree: Any) -> None:
    around, key = _place(random, tree)
    if isinstance(key, str):
        position = random.randint(0, len(key))
        around[key[:position] + random.choice(["", "x", "-", " ", "."]) + key[position + 1 :]] = around.pop(key)


def _no_value(random: Random, tree: Any) -> None:
    around, key = _place(random, tree)
    del around[key]


def _moved(random: Random, tree: Any) -> None:
    """A value of another place."""
    source, key = _place(random, tree)
    value = copy.deepcopy(source[key])
    around, other = _place(random, tree)
    around[other] = value


def _many(random: Random, tree: Any) -> None:
    around, key = _place(random, tree)
    copies = random.randint(1, MAX_COPIES if random.random() < OFTEN_MANY else 20)
    if isinstance(around, list):
        around.extend([around[key]] * copies)
    else:
        around[key] = [random.choice(ODD_TEXTS[:10])] * copies


def _deep(random: Random, tree: Any) -> None:
    around, key = _place(random, tree)
    for _ in range(random.randint(1, 60)):
        around[key] = [around[key]] if random.random() < 0.5 else {"a": around[key]}


MISTAKES = [_other_value, _other_value, _other_key, _other_key, _no_value, _moved, _many, _deep]


def _place(random: Random, tree: Any) -> tuple[Any, Any]:
    """A mapping or list of the tree, and one of its keys or positions."""
    found = list(_places(tree))
    if not found:
        tree["schema"] = "1"
        return tree, "schema"
    return random.choice(found)


def _places(node: Any) -> Any:
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, item in list(items)[:50]:
        yield node, key
        yield from _places(item)


def _broken_bytes(random: Random, content: bytes) -> bytes:
    for _ in range(random.randint(1, 8)):
        position = random.randint(0, len(content))
        length = random.choice([0, 1, 1, 2, 20, 400])
        odd = random.choice(ODD_BYTES) if random.random() < 0.8 else random.randbytes(4)
        inserted = random.choice([b"", b"", odd, content[position : position + 80]])
        content = content[:position] + inserted * random.choice([1, 1, 1, 30]) + content[position + length :]
    return content
