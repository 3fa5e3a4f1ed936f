"""Locks at random: broken bytes, broken structure, and forgeries with a right checksum."""

from __future__ import annotations

import copy
import json
from random import Random
from typing import Any

from neuron_cluster.lock.tree import CHECKSUM, checksum

DIGEST = f"sha256:{'0123456789abcdef' * 4}"
KIND = "multi_framework_ubuntu_24_04"
WHOLE: dict[str, Any] = {
    "format": "1",
    "environment": "workstation",
    "account": "111122223333",
    "region": "us-west-2",
    "kubernetes_version": "1.35",
    "ami_releases": {
        "AL2023_x86_64_NEURON": {"image_id": "ami-0123456789abcdef0", "release_version": "1.35.6-20260714"}
    },
    "dlamis": {KIND: {"image_id": "ami-0123456789abcdef1"}},
    "addons": {"coredns": "v1.14.2-eksbuild.4", "vpc-cni": "v1.22.4-eksbuild.3"},
    "charts": {"neuron-helm-chart": {"digest": DIGEST, "version": "1.10.0"}},
    "images": {"registry.example/a:1.0": DIGEST, "registry.example/b:1.0": "null"},
    "storage": {"lustre_metadata": "none"},
}
"""A lock with every section."""

ODD: list[Any] = [
    *["", "null", "-1", "1.30", "true", "a" * 5_000, "\x1b[31m", "\u202e", "ami-", "ami-0badbadbadbadbad0", "sha256:"],
    *["1.35.0-20200101", "1.35.6-99999999", "{}", "[1]", "&x", "*x", "!!python/object/apply:os.system [true]"],
    *[{}, [], {"a": {"b": {"c": "d"}}}, [[[]]], {"": ""}],
]
ODD_BYTES = [
    b"\x00",
    b"\xff",
    b"\x1b[2J",
    b"\r",
    b"\t",
    b": ",
    b"- ",
    b"&a ",
    b"*a ",
    b"<<: ",
    b"---\n",
    b"{",
    b'"',
    b"#",
]


def text_of(tree: dict[str, Any], *, sealed: bool) -> bytes:
    """The file; sealed: with the right checksum, which needs no secret."""
    whole = {**tree, CHECKSUM: checksum(tree)} if sealed else tree
    lines: list[str] = []
    _write(whole, "", lines)
    return ("\n".join(lines) + "\n").encode("utf-8", errors="surrogatepass")


def _write(tree: dict[str, Any], indent: str, lines: list[str]) -> None:
    for key, value in tree.items():
        name = json.dumps(str(key))
        if isinstance(value, dict) and value:
            lines.append(f"{indent}{name}:")
            _write(value, f"{indent}  ", lines)
        else:
            plain = value in ("1", "null") if isinstance(value, str) else False
            lines.append(f"{indent}{name}: {value if plain else json.dumps(value)}")


def lock_case(random: Random) -> tuple[bytes, str]:
    """A file and how it was made: ``bytes``, ``structure`` or ``forged``."""
    way = random.choice(["bytes", "structure", "forged"])
    if way == "bytes":
        return broken_bytes(random, text_of(WHOLE, sealed=True)), way
    tree = copy.deepcopy(WHOLE)
    if way == "forged":
        forge(random, tree)
        return text_of(tree, sealed=True), way
    for _ in range(random.randint(1, 4)):
        break_structure(random, tree)
    return text_of(tree, sealed=random.random() < 0.7), way


def broken_bytes(random: Random, content: bytes) -> bytes:
    for _ in range(random.randint(1, 6)):
        at = random.randrange(len(content) + 1)
        change = random.choice(["cut", "insert", "flip", "end"])
        if change == "cut":
            content = content[:at] + content[at + random.randint(1, 40) :]
        elif change == "insert":
            content = content[:at] + random.choice(ODD_BYTES) * random.choice([1, 1, 1, 200]) + content[at:]
        elif change == "flip" and at < len(content):
            content = content[:at] + bytes([random.randrange(256)]) + content[at + 1 :]
        elif change == "end":
            content = content[:at] or b"\n"
    return content


def break_structure(random: Random, tree: dict[str, Any]) -> None:
    node: Any = tree
    while True:
        key = random.choice(list(node)) if node else "a"
        below = node.get(key)
        if isinstance(below, dict) and below and random.random() < 0.7:
            node = below
            continue
        change = random.choice(["drop", "odd", "rename", "more"])
        if change == "drop":
            node.pop(key, None)
        elif change == "odd":
            node[key] = copy.deepcopy(random.choice(ODD))
        elif change == "rename":
            node[random.choice(["", "x" * 300, "format", "\x1b", "0"])] = node.pop(key, "")
        else:
            node.update(
                {f"entry-{number}": copy.deepcopy(random.choice(ODD)) for number in range(random.choice([1, 800]))}
            )
        return


def forge(random: Random, tree: dict[str, Any]) -> None:
    """Entries of the right form, another value."""
    forged_id = f"ami-{random.getrandbits(68):017x}"
    section = random.choice(["dlamis", "ami_releases", "addons", "images", "charts"])
    if section == "dlamis":
        tree["dlamis"][KIND]["image_id"] = forged_id
    elif section == "ami_releases":
        day = f"202{random.randint(0, 6)}{random.randint(1, 12):02}{random.randint(1, 31):02}"
        row = tree["ami_releases"]["AL2023_x86_64_NEURON"]
        row.update(image_id=forged_id, release_version=f"1.35.{random.randint(0, 9)}-{day}")
    elif section == "addons":
        tree["addons"]["coredns"] = f"v1.{random.randint(0, 30)}.0-eksbuild.1"
    elif section == "images":
        tree["images"]["registry.example/a:1.0"] = f"sha256:{random.getrandbits(256):064x}"
    else:
        tree["charts"]["neuron-helm-chart"]["digest"] = f"sha256:{random.getrandbits(256):064x}"
