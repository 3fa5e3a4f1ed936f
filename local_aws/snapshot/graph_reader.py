"""Objects out of the JSON that ``graph_writer`` describes."""

from __future__ import annotations

import base64
import dataclasses
import io
import threading
import types
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from local_aws.snapshot.bodies import ReadsBodies, spooled
from local_aws.snapshot.classes import class_named, function_named
from local_aws.snapshot.errors import SnapshotError
from local_aws.snapshot.graph_writer import Node
from local_aws.snapshot.object_parts import base_of, empty, set_attributes
from local_aws.snapshot.plain_values import KINDS

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
            "class": class_named,
            "function": function_named,
            "method": lambda owner, name: _method(self._value(owner), name),
            "enum": lambda name, member: class_named(name)[member],  # type: ignore[index]  # an enumeration
            "struct": lambda name, fields: class_named(name)(**dict(self._pairs(fields))),
            "named tuple": lambda name, items: tuple.__new__(class_named(name), self._values(items)),
            "text": lambda name, text: str.__new__(class_named(name), text),
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
        set_attributes(value, {name: self._value(each) for name, each in node[2].items()})
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


def _method(owner: Any, name: str) -> types.MethodType:
    function = getattr(type(owner), name)
    if not isinstance(function, types.FunctionType):
        raise TypeError(f"{type(owner).__qualname__}.{name} is not a method")
    return types.MethodType(function, owner)
