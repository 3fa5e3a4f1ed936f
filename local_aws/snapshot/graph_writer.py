"""Objects as JSON: each object once, and a reference to it wherever it is met.

A value is a JSON scalar or a reference ``[n]``: from 0 on into ``mutable``, below 0 into ``immutable`` (``-1`` is the
first). An immutable object comes after those immutable ones that it is made of, so that a reader makes one after the
other; mutable ones are made empty first and filled then, which is how cycles are read.
"""

from __future__ import annotations

import base64
import enum
import io
import math
import tempfile
import threading
import types
import weakref
from collections import deque
from collections.abc import Mapping
from typing import Any

import msgspec

from local_aws.snapshot.bodies import WritesBodies, put_file
from local_aws.snapshot.classes import name_of
from local_aws.snapshot.errors import SnapshotError
from local_aws.snapshot.object_parts import attributes, base_of
from local_aws.snapshot.plain_values import KINDS

Node = list[Any]
SMALL = 1024
"""Bytes that are written among the objects; more of them are a body of their own."""
EMPTY: Mapping[type, str] = {
    dict: "dict",
    list: "list",
    set: "set",
    weakref.WeakValueDictionary: "weak",
    type(threading.Lock()): "lock",
    type(threading.RLock()): "rlock",
}
NAMED = (types.FunctionType, type)
NO_OBJECTS = (*NAMED, str, int, float, tuple, frozenset, msgspec.Struct, enum.Enum, threading.Thread)
"""What is immutable, or cannot be made without its constructor."""


class GraphWriter:
    """Writes one graph."""

    def __init__(self, bodies: WritesBodies) -> None:
        self.mutable: list[Node] = []
        self.immutable: list[Node] = []
        self._bodies = bodies
        self._known: dict[int, tuple[Any, int]] = {}
        """By identity; the object too, so that no other one gets its identity."""
        self._open: set[int] = set()
        self._waiting: deque[tuple[Any, Node, str]] = deque()

    def write(self, root: Any, path: str) -> Any:
        """The reference to the root. Raises SnapshotError that names what cannot be written."""
        reference = self._value(root, path)
        while self._waiting:
            self._fill(*self._waiting.popleft())
        return reference

    def _value(self, value: Any, path: str) -> Any:
        if value is None or type(value) in (str, bool, int) or (type(value) is float and math.isfinite(value)):
            return value
        known = self._known.get(id(value))
        if known is not None:
            return [known[1]]
        node = self._mutable_node(value)
        if node is not None:
            self.mutable.append(node)
            number = len(self.mutable) - 1
            self._waiting.append((value, node, path))
        else:
            if id(value) in self._open:
                raise _unsupported(value, path)
            self._open.add(id(value))
            self.immutable.append(self._immutable_node(value, path))
            self._open.discard(id(value))
            number = -len(self.immutable)
        self._known[id(value)] = (value, number)
        return [number]

    def _mutable_node(self, value: Any) -> Node | None:
        """A node that ``_fill`` completes, or that is complete; None for what is immutable or unknown."""
        kind = type(value)
        if kind in EMPTY:
            return [EMPTY[kind]]
        if kind is deque:
            return ["deque", value.maxlen]
        if kind is threading.Event:
            return ["event", value.is_set()]
        if kind is io.BytesIO:
            return ["bytes file", put_file(self._bodies, value)]
        if kind is tempfile.SpooledTemporaryFile:
            return ["spooled file", put_file(self._bodies, value), vars(value)["_max_size"]]
        is_object = kind.__module__ != "builtins" and not isinstance(value, NO_OBJECTS)
        name = name_of(kind) if is_object else None
        return None if name is None else ["object", name]

    def _fill(self, value: Any, node: Node, path: str) -> None:
        match node[0]:
            case "dict" | "weak":
                node.append(self._pairs(value, path))
            case "list" | "deque" | "set":
                node.append(self._items(value, path))
            case "object":
                node.append({name: self._value(each, f"{path}.{name}") for name, each in attributes(value).items()})
                base = base_of(type(value))
                if issubclass(base, dict):
                    node.append(self._pairs(value, path))
                elif base is not object:
                    node.append(self._items(value, path))

    def _pairs(self, value: Any, path: str) -> Any:
        base = base_of(type(value))
        pairs = list(base.items(value) if issubclass(base, dict) else value.items())
        if all(type(key) is str for key, _ in pairs):
            return {key: self._value(each, f"{path}[{key!r}]") for key, each in pairs}
        return [[self._value(key, path), self._value(each, f"{path}[{key!r}]")] for key, each in pairs]

    def _items(self, value: Any, path: str) -> list[Any]:
        return [self._value(each, f"{path}[]") for each in value]

    def _immutable_node(self, value: Any, path: str) -> Node:
        kind = type(value)
        if kind is bytes:
            if len(value) <= SMALL:
                return ["bytes", base64.b64encode(value).decode("ascii")]
            return ["body", put_file(self._bodies, io.BytesIO(value))]
        if kind in (tuple, frozenset):
            return [kind.__name__, self._items(value, path)]
        if isinstance(value, types.MethodType):
            return ["method", self._value(value.__self__, f"{path}.__self__"), value.__name__]
        plain = next((each for each in KINDS if each.fits(value)), None)
        return [plain.name, plain.written(value)] if plain is not None else self._named_node(value, path)

    def _named_node(self, value: Any, path: str) -> Node:
        """A class, a function, or an object of a class of moto or of this package."""
        is_named = isinstance(value, NAMED)
        name = name_of(value if is_named else type(value))
        if name is None:
            raise _unsupported(value, path)
        if is_named:
            return ["class" if isinstance(value, type) else "function", name]
        return self._object_node(value, name, path)

    def _object_node(self, value: Any, name: str, path: str) -> Node:
        if isinstance(value, enum.Enum):
            return ["enum", name, value.name]
        if isinstance(value, msgspec.Struct):
            fields = type(value).__struct_fields__
            return ["struct", name, {each: self._value(getattr(value, each), f"{path}.{each}") for each in fields}]
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return ["named tuple", name, self._items(value, path)]
        if isinstance(value, str) and not attributes(value):
            return ["text", name, str.__str__(value)]
        raise _unsupported(value, path)


def _unsupported(value: Any, path: str) -> SnapshotError:
    kind = value if isinstance(value, NAMED) else type(value)
    return SnapshotError(
        f"{path} is of {kind.__module__}.{kind.__qualname__}, which snapshots do not support",
        "delete the resource to which it belongs, and write the snapshot then",
    )
