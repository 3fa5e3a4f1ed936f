"""Wildcards and policy variables.

https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_variables.html and …_elements_resource.html
"""

from __future__ import annotations

import functools
import re

from neuron_cluster.access.errors import PolicyError
from neuron_cluster.access.request import Request

ARN_PARTS = 6
VARIABLE = re.compile(r"\$\{([^}]*)\}")
SPECIFICATION = re.compile(r"\s*(?P<key>[^,']+?)\s*(,\s*'(?P<default>[^']*)'\s*)?")
SERVICE_KEY = re.compile(r"(?!aws:)[a-z0-9.-]+:[\w/:.-]+", re.IGNORECASE)
GLOBAL_KEYS = frozenset(
    f"aws:{name}"
    for name in (
        *("calledvia", "calledviafirst", "calledvialast", "currenttime", "ec2instancesourceprivateipv4"),
        *("ec2instancesourcevpc", "epochtime", "federatedprovider", "multifactorauthage", "multifactorauthpresent"),
        *("principalaccount", "principalarn", "principalisawsservice", "principalorgid", "principalorgpaths"),
        *("principalservicename", "principalservicenameslist", "principaltag", "principaltype", "referer"),
        *("requestedregion", "requesttag", "resourceaccount", "resourceorgid", "resourceorgpaths", "resourcetag"),
        *("securetransport", "sourceaccount", "sourcearn", "sourceidentity", "sourceip", "sourceorgid"),
        *("sourceorgpaths", "sourcevpc", "sourcevpcarn", "sourcevpce", "tagkeys", "tokenissuetime", "useragent"),
        *("userid", "username", "viaawsservice", "vpcsourceip"),
    )
)
"""https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html, in lower case."""
ESCAPES = ("*", "?", "$")
"""``${*}`` is the character: not a variable."""
LITERALS = {"*": "\ue000", "?": "\ue001"}
"""Placeholders for characters of a variable, which are not wildcards."""


def expanded(text: str, request: Request) -> str | None:
    """The text with its variables replaced; None where one has neither a value nor a default.

    Raises ``PolicyError`` for a variable that IAM does not have.
    """
    parts: list[str] = []
    end = 0
    for match in VARIABLE.finditer(text):
        value = _value(match[1], request)
        if value is None:
            return None
        parts += [text[end : match.start()], "".join(LITERALS.get(character, character) for character in value)]
        end = match.end()
    rest = text[end:]
    if "${" in rest:
        raise PolicyError(f"{text}: a policy variable does not end with }}")
    return "".join([*parts, rest])


def _value(specification: str, request: Request) -> str | None:
    if specification in ESCAPES:
        return specification
    match = SPECIFICATION.fullmatch(specification)
    if match is None or not is_condition_key(match["key"]):
        raise PolicyError(f"${{{specification}}} is not a policy variable of IAM")
    values = request.values(match["key"])
    if len(values) > 1:
        raise PolicyError(f"${{{specification}}}: a policy variable requires a key with one value")
    default: str | None = match["default"]
    return values[0] if values else default


def variable_keys(text: str) -> frozenset[str]:
    """The condition keys of the variables of a text, in lower case."""
    found = (SPECIFICATION.fullmatch(each) for each in VARIABLE.findall(text) if each not in ESCAPES)
    return frozenset(match["key"].lower() for match in found if match is not None)


def is_condition_key(name: str) -> bool:
    """Whether IAM can have the key: a global one by name, one of a service by its form."""
    return name.lower().partition("/")[0] in GLOBAL_KEYS or SERVICE_KEY.fullmatch(name) is not None


def literal(text: str) -> str:
    """An expanded text in which ``*`` and ``?`` are characters."""
    for character, written in LITERALS.items():
        text = text.replace(written, character)
    return text


def matches(pattern: str, value: str) -> bool:
    """Whether an expanded text matches; ``*`` is any number of characters, ``?`` exactly one."""
    return _compiled(pattern).fullmatch(value) is not None


@functools.lru_cache(maxsize=4096)
def _compiled(pattern: str) -> re.Pattern[str]:
    wildcards = {"*": ".*", "?": "."}
    return re.compile("".join(wildcards.get(each) or re.escape(literal(each)) for each in pattern), re.DOTALL)


def arn_matches(pattern: str, arn: str) -> bool:
    """Part by part: a wildcard does not reach over a colon. Missing parts of the pattern are ``*``, as for IAM."""
    if pattern == "*":
        return True
    wanted, found = pattern.split(":", ARN_PARTS - 1), arn.split(":", ARN_PARTS - 1)
    if len(found) < ARN_PARTS:
        return False
    return all(map(matches, [*wanted, *["*"] * (ARN_PARTS - len(wanted))], found))
