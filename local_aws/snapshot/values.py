"""Parts of an object, and values of the standard library, each written as text or as a list of JSON values."""

from __future__ import annotations

import collections
import datetime as dt
import decimal
import ipaddress
import re
import uuid
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from msgspec import Struct

CONTAINERS: tuple[type, ...] = (collections.OrderedDict, collections.defaultdict, dict, list, set)


def base_of(kind: type) -> type:
    """The built-in container that a class extends; ``object`` where it extends none."""
    return next((each for each in CONTAINERS if issubclass(kind, each)), object)


def attributes(value: Any) -> dict[str, Any]:
    """Returns the attributes of its ``__dict__`` and of its slots, and the factory of a ``defaultdict``."""
    found = dict(getattr(value, "__dict__", {}))
    for name in _slots(type(value)):
        if hasattr(value, name):
            found[name] = getattr(value, name)
    if isinstance(value, collections.defaultdict):
        found["default_factory"] = value.default_factory
    return found


def _slots(kind: type) -> Iterator[str]:
    for each in kind.__mro__:
        slots = vars(each).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name.startswith("__") and not name.endswith("__"):
                yield f"_{each.__name__.lstrip('_')}{name}"
            elif name not in ("__dict__", "__weakref__"):
                yield name


def empty(kind: type) -> Any:
    """An object of the class whose constructor has not run."""
    base: Any = base_of(kind)
    return base.__new__(kind)


def set_attributes(value: Any, given: Mapping[str, Any]) -> None:
    """Past the class's own ``__setattr__`` and properties."""
    own = getattr(value, "__dict__", None)
    slots = {*_slots(type(value)), *(("default_factory",) if isinstance(value, collections.defaultdict) else ())}
    for name, each in given.items():
        if own is None or name in slots:
            object.__setattr__(value, name, each)
        else:
            own[name] = each


class PlainKind(Struct, frozen=True):
    """How the objects of a class are written and read."""

    name: str
    classes: tuple[type, ...]
    written: Callable[[Any], Any]
    read: Callable[[Any], Any]

    def fits(self, value: object) -> bool:
        return type(value) in self.classes or (self.name == "private key" and isinstance(value, self.classes))


def _pem(key: Any) -> str:
    form, plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    return str(key.private_bytes(serialization.Encoding.PEM, form, plain), "ascii")


def _key(text: str) -> Any:
    return serialization.load_pem_private_key(text.encode("ascii"), None)


_KEYS: tuple[type, ...] = (rsa.RSAPrivateKey, ec.EllipticCurvePrivateKey, ed25519.Ed25519PrivateKey)
KINDS = (
    PlainKind("datetime", (dt.datetime,), dt.datetime.isoformat, dt.datetime.fromisoformat),
    PlainKind("date", (dt.date,), dt.date.isoformat, dt.date.fromisoformat),
    PlainKind(
        "timedelta",
        (dt.timedelta,),
        lambda each: [each.days, each.seconds, each.microseconds],
        lambda parts: dt.timedelta(*parts),
    ),
    PlainKind("decimal", (decimal.Decimal,), str, decimal.Decimal),
    PlainKind("uuid", (uuid.UUID,), str, uuid.UUID),
    PlainKind("ipv4 address", (ipaddress.IPv4Address,), str, ipaddress.IPv4Address),
    PlainKind("ipv6 address", (ipaddress.IPv6Address,), str, ipaddress.IPv6Address),
    PlainKind("ipv4 network", (ipaddress.IPv4Network,), str, ipaddress.IPv4Network),
    PlainKind("ipv6 network", (ipaddress.IPv6Network,), str, ipaddress.IPv6Network),
    PlainKind("pattern", (re.Pattern,), lambda each: [each.pattern, each.flags], lambda parts: re.compile(*parts)),
    PlainKind("private key", _KEYS, _pem, _key),
    PlainKind("float", (float,), repr, float),
)
