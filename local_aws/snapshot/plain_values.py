"""Values of the standard library in a snapshot, each written as text or as a list of JSON values."""

from __future__ import annotations

import datetime as dt
import decimal
import ipaddress
import re
import uuid
from collections.abc import Callable
from typing import Any

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from msgspec import Struct


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
