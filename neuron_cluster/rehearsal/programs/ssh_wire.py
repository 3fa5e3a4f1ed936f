"""Messages between the replacements of ssh and sshd: not the protocol, but access and output.

A key is a number; its private half is written as PRIVATE, its public half as a line of authorized_keys.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

PRIVATE, TYPE = "rehearsal-private-key", "ssh-ed25519"
OUTPUT, ERRORS, STATUS, HOST_KEY, REQUEST, REFUSED = b"o", b"e", b"s", b"k", b"r", b"n"
LENGTH_BYTES = 4


def public_half(private: Path) -> str:
    """Raises ``OSError``."""
    return f"{TYPE} {private.read_text(encoding='ascii').split()[1]}"


def number_of(line: str) -> str:
    """Returns the number of a public half; empty where the line has none."""
    words = line.split()
    return words[words.index(TYPE) + 1] if TYPE in words[:-1] else ""


def send(line: socket.socket, kind: bytes, data: bytes) -> None:
    line.sendall(kind + len(data).to_bytes(LENGTH_BYTES, "big") + data)


def received(line: socket.socket) -> Iterator[tuple[bytes, bytes]]:
    """Until the other side closes. Raises ``OSError``."""
    while head := _exactly(line, 1 + LENGTH_BYTES):
        yield head[:1], _exactly(line, int.from_bytes(head[1:], "big"))


def _exactly(line: socket.socket, count: int) -> bytes:
    """Empty at the end."""
    found = b""
    while len(found) < count:
        part = line.recv(count - len(found))
        if not part:
            return b""
        found += part
    return found
