"""Objects as JSON, and back: each object once, and a reference to it wherever it is met.

A value is a JSON scalar or a reference ``[n]``: from 0 on into ``mutable``, below 0 into ``immutable`` (``-1`` is the
first). An immutable object comes after those immutable ones that it is made of, so that a reader makes one after the
other; mutable ones are made empty first and filled then, which is how cycles are read. A large value is a body, by the
digest of its content.
"""

from __future__ import annotations

import base64
import contextlib
import dataclasses
import enum
import hashlib
import io
import math
import tempfile
import threading
import types
import weakref
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Protocol

import msgspec

from local_aws.snapshot.archive import SnapshotError
from local_aws.snapshot.classes import (
    class_named,
    function_named,
    may_be_factory,
    method_named,
    name_of,
    value_class,
    value_name,
)
from local_aws.snapshot.values import KINDS, attributes, base_of, empty, set_attributes

CHUNK = 1024 * 1024


class WritesBodies(Protocol):
    """Keeps a body under its digest."""

    def put(self, digest: str, file: Any) -> None: ...


class ReadsBodies(Protocol):
    """Opens a body, whose digest has been compared."""

    def body(self, digest: str) -> bytes: ...


def put_file(bodies: WritesBodies, file: Any) -> str:
    """Keeps all of an open file, whose position stays; gives its digest."""
    position = file.tell()
    file.seek(0)
    digest = hashlib.sha256()
    while chunk := file.read(CHUNK):
        digest.update(chunk)
    file.seek(0)
    bodies.put(digest.hexdigest(), file)
    file.seek(position)
    return digest.hexdigest()


def spooled(content: bytes, largest: int) -> Any:
    """A file as moto keeps the bodies of objects in."""
    file = tempfile.SpooledTemporaryFile(largest)  # noqa: SIM115 - moto closes it with its object
    file.write(content)
    return file


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
"""Types that are immutable, or cannot be made without their constructor."""


class GraphWriter:
    """Writes one graph."""

    def __init__(self, bodies: WritesBodies) -> None:
        self.mutable: list[Node] = []
        self.immutable: list[Node] = []
        self._bodies = bodies
        self._known: dict[int, tuple[Any, int]] = {}
        """Objects by identity; the object too, so that no other one gets its identity."""
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
        if isinstance(value, types.MethodType) and _is_known_method(value):
            return ["method", self._value(value.__self__, f"{path}.__self__"), value.__name__]
        plain = next((each for each in KINDS if each.fits(value)), None)
        return [plain.name, plain.written(value)] if plain is not None else self._named_node(value, path)

    def _named_node(self, value: Any, path: str) -> Node:
        """A class, a function, or an object of a class of moto or of this package."""
        is_named = isinstance(value, NAMED)
        name = value_name(value) if is_named else name_of(type(value))
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


def _is_known_method(method: types.MethodType) -> bool:
    with contextlib.suppress(SnapshotError):
        return method_named(method.__self__, method.__name__) == method
    return False


def _unsupported(value: Any, path: str) -> SnapshotError:
    kind = value if isinstance(value, NAMED) else type(value)
    return SnapshotError(
        f"{path} is of {kind.__module__}.{kind.__qualname__}, which snapshots do not support",
        "delete the resource to which it belongs, and write the snapshot then",
    )


UNREADABLE = (KeyError, IndexError, TypeError, ValueError, AttributeError, RecursionError, AssertionError)


class GraphReader:
    """Reads one graph. Nothing outside of it changes."""

    def __init__(self, bodies: ReadsBodies) -> None:
        self._bodies = bodies
        self._mutable: list[Any] = []
        self._immutable: list[Any] = []
        self._empty: dict[str, Callable[..., Any]] = {
            "dict": lambda _: {},
            "list": lambda _: [],
            "set": lambda _: set(),
            "deque": lambda longest, _: deque(maxlen=longest),
            "weak": lambda _: weakref.WeakValueDictionary(),
            "lock": threading.Lock,
            "rlock": threading.RLock,
            "event": _event,
            "bytes file": lambda digest: io.BytesIO(bodies.body(digest)),
            "spooled file": lambda digest, largest: spooled(bodies.body(digest), largest),
            "object": lambda name, *_: empty(class_named(name)),
        }
        self._made: dict[str, Callable[..., Any]] = {
            "bytes": lambda text: base64.b64decode(text, validate=True),
            "body": bodies.body,
            "tuple": lambda items: tuple(self._values(items)),
            "frozenset": lambda items: frozenset(self._values(items)),
            "class": value_class,
            "function": function_named,
            "method": lambda owner, name: method_named(self._value(owner), name),
            "enum": lambda name, member: class_named(name, enum.Enum)[member],  # type: ignore[index]
            "struct": lambda name, fields: class_named(name, msgspec.Struct)(**dict(self._pairs(fields))),
            "named tuple": lambda name, items: tuple.__new__(class_named(name, tuple), self._values(items)),
            "text": lambda name, text: str.__new__(class_named(name, str), text),
            **{each.name: each.read for each in KINDS},
        }

    def read(self, mutable: list[Node], immutable: list[Node], root: Any) -> Any:
        """The root. Raises SnapshotError for what is not understood."""
        try:
            self._mutable = [self._empty[kind](*parts) for kind, *parts in mutable]
            for kind, *parts in immutable:  # each is made of earlier ones
                self._immutable.append(self._made[kind](*parts))
            pairs = list(zip(self._mutable, mutable, strict=True))
            for value, node in pairs:
                self._set_attributes(value, node)
            for value, node in pairs:
                self._put_items(value, node)
            for value, node in pairs:  # keys, and members of sets, are compared by what they hold
                self._put_keys(value, node)
            return self._value(root)
        except UNREADABLE as error:
            raise SnapshotError(
                f"the objects of the snapshot cannot be read: {type(error).__name__}: {error}",
                "restore it with the version of the toolkit that wrote it, or use another snapshot",
            ) from error

    def _value(self, written: Any) -> Any:
        if not isinstance(written, list):
            return written
        (number,) = written
        return self._mutable[number] if number >= 0 else self._immutable[-1 - number]

    def _values(self, written: Iterable[Any]) -> Iterator[Any]:
        return (self._value(each) for each in written)

    def _set_attributes(self, value: Any, node: Node) -> None:
        if node[0] != "object":
            return
        given = {name: self._value(each) for name, each in node[2].items()}
        if isinstance(value, defaultdict) and not may_be_factory(given.get("default_factory")):
            raise TypeError(f"{type(value).__qualname__} with another default")
        set_attributes(value, given)
        kind = type(value)
        if dataclasses.is_dataclass(kind) and not kind.__module__.startswith("moto."):
            missing = {each.name for each in dataclasses.fields(kind)} - node[2].keys()
            if missing:
                raise ValueError(f"{kind.__qualname__} without {', '.join(sorted(missing))}")

    def _put_items(self, value: Any, node: Node) -> None:
        if node[0] in ("list", "deque"):
            value.extend(self._values(node[-1]))
        elif node[0] == "object" and isinstance(value, list):
            list.extend(value, self._values(node[-1]))

    def _put_keys(self, value: Any, node: Node) -> None:
        base: Any = base_of(type(value))
        if issubclass(base, set):
            base.update(value, self._values(node[-1]))
        elif issubclass(base, dict) or node[0] == "weak":
            put = base.__setitem__ if issubclass(base, dict) else type(value).__setitem__
            for key, each in self._pairs(node[-1]):
                put(value, key, each)

    def _pairs(self, written: Any) -> Iterator[tuple[Any, Any]]:
        pairs = written.items() if isinstance(written, dict) else ((self._value(key), each) for key, each in written)
        return ((key, self._value(each)) for key, each in pairs)


def _event(is_set: bool) -> threading.Event:
    event = threading.Event()
    if is_set:
        event.set()
    return event
