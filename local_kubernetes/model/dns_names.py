"""The forms of names in Kubernetes (https://kubernetes.io/docs/concepts/overview/working-with-objects/names/)."""

from __future__ import annotations

import re

LABEL_LENGTH = 63
SUBDOMAIN_LENGTH = 253
PORT_NAME_LENGTH = 15
_LABEL = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?")
_LABEL_1035 = re.compile(r"[a-z]([-a-z0-9]*[a-z0-9])?")
_SUBDOMAIN = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
_LABEL_VALUE = re.compile(r"([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?")
_PORT_NAME = re.compile(r"(?=.*[a-z])(?!.*--)[a-z0-9]([-a-z0-9]*[a-z0-9])?")

LABEL_FORM = "at most 63 lower-case letters, digits and '-', with a letter or digit at both ends"
LABEL_1035_FORM = f"{LABEL_FORM}, the first one a letter"
SUBDOMAIN_FORM = "at most 253 lower-case letters, digits, '-' and '.', with a letter or digit at both ends of each part"
LABEL_VALUE_FORM = "at most 63 letters, digits, '-', '_' and '.', with a letter or digit at both ends, or nothing"
LABEL_KEY_FORM = "an optional DNS subdomain and '/', then 1 to 63 letters, digits, '-', '_' and '.'"
PORT_NAME_FORM = "at most 15 lower-case letters, digits and single '-', at least one a letter"


def is_label(name: str) -> bool:
    """RFC 1123 label: namespaces, containers, volumes."""
    return len(name) <= LABEL_LENGTH and _LABEL.fullmatch(name) is not None


def is_label_1035(name: str) -> bool:
    """RFC 1035 label: services."""
    return len(name) <= LABEL_LENGTH and _LABEL_1035.fullmatch(name) is not None


def is_subdomain(name: str) -> bool:
    """RFC 1123 subdomain: most objects."""
    return len(name) <= SUBDOMAIN_LENGTH and _SUBDOMAIN.fullmatch(name) is not None


def is_label_value(value: str) -> bool:
    return len(value) <= LABEL_LENGTH and _LABEL_VALUE.fullmatch(value) is not None


def is_label_key(key: str) -> bool:
    """Keys of labels and annotations."""
    prefix, slash, name = key.rpartition("/")
    return bool(name) and is_label_value(name) and (is_subdomain(prefix) if slash else True)


def is_port_name(name: str) -> bool:
    """IANA service name."""
    return len(name) <= PORT_NAME_LENGTH and _PORT_NAME.fullmatch(name) is not None
