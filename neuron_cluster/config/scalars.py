"""How the text of a YAML scalar becomes a value.

YAML's own guesses are disabled (see ``loader``): every scalar arrives as the text that was written, so that
``version: 1.30`` stays 1.30, ``account: 012345670123`` keeps its zero and ``name: no`` is a name. The types here
turn that text into numbers and booleans, and reject what is neither.
"""

import re
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from neuron_cluster.findings.text import quoted


class Quoted(str):
    """The text of a scalar that is written in quotes, or in a block."""

    __slots__ = ()


_WHOLE_NUMBER = re.compile(r"-?[0-9]{1,12}\Z")


def whole_number(text: Any) -> Any:
    if isinstance(text, str):
        if not _WHOLE_NUMBER.match(text):
            raise PydanticCustomError("whole_number", "a whole number of at most twelve digits is expected")
        return int(text)
    return text


def _switch(text: Any) -> Any:
    """Quotes make a text of it, for editors and in ``chart_values`` too."""
    if isinstance(text, Quoted):
        raise PydanticCustomError("switch", "true or false without quotes is expected")
    if isinstance(text, str):
        if text not in ("true", "false"):
            raise PydanticCustomError("switch", "true or false is expected")
        return text == "true"
    return text


_DECIMAL = re.compile(r"[0-9]{1,12}(\.[0-9]{1,6})?\Z")


def _decimal(text: Any) -> Any:
    if isinstance(text, str):
        if not _DECIMAL.match(text):
            raise PydanticCustomError("decimal", "a number such as 0.04 is expected, without an exponent")
        return float(text)
    return text


WholeNumber = Annotated[int, BeforeValidator(whole_number)]
DecimalNumber = Annotated[float, BeforeValidator(_decimal)]
Switch = Annotated[bool, BeforeValidator(_switch)]


ACCOUNT_PATTERN = r"^[0-9]{12}$"
REGION_PATTERN = r"^[a-z]{2}(-[a-z]+)+-[0-9]$"


def text_or_number(pattern: str) -> WithJsonSchema:
    """Returns the schema for editors, which read ``version: 1.35`` as a number where this toolkit reads the text."""
    return WithJsonSchema({"anyOf": [{"type": "string", "pattern": pattern}, {"type": "number"}]})


class ClosedModel(BaseModel):
    """A part of the environment file: unknown keys are errors, nothing can be changed after reading."""

    # Built when the environment is read, all parts in one go: building each part by itself doubles the start-up.
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True, defer_build=True)


GROUP_NAME_PATTERN = r"^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$"
GroupName = Annotated[str, Field(pattern=GROUP_NAME_PATTERN)]

ZONE_ID_PATTERN = r"^[a-z]{2,6}[0-9]-az[0-9]{1,2}$"
ZoneId = Annotated[str, Field(pattern=ZONE_ID_PATTERN, examples=["usw2-az4"])]

CIDR_PATTERN = r"^[0-9]{1,3}(\.[0-9]{1,3}){3}/[0-9]{1,2}$"


def _network_address(text: Any) -> Any:
    """Rejects host bits and impossible octets, which a pattern cannot see."""
    import ipaddress

    if isinstance(text, str) and re.match(CIDR_PATTERN, text):
        try:
            ipaddress.IPv4Network(text)
        except ValueError as error:
            raise PydanticCustomError("cidr", "not an IPv4 network: {reason}", {"reason": str(error)}) from None
    return text


Cidr = Annotated[str, Field(pattern=CIDR_PATTERN, examples=["10.20.0.0/16"]), BeforeValidator(_network_address)]


_INTEGER = re.compile(r"[-+]?[0-9]{1,18}\Z")
_NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]{1,3})?\Z")
_BOOLEANS_AND_NULL = {"true": True, "false": False, "null": None, "~": None}


def typed(value: Any) -> Any:
    """Returns the value of the file with unquoted scalars as YAML 1.2 types them."""
    if isinstance(value, dict):
        return {key: typed(part) for key, part in value.items()}
    if isinstance(value, list):
        return [typed(part) for part in value]
    if isinstance(value, Quoted):
        return str(value)
    return _plain(value) if isinstance(value, str) else value


def _plain(text: str) -> Any:
    if text in _BOOLEANS_AND_NULL:
        return _BOOLEANS_AND_NULL[text]
    if _INTEGER.match(text):
        return int(text)
    return float(text) if _NUMBER.match(text) else text


def one_text(value: Any) -> Any:
    """Rejects a list and null where another program reads texts alone, with the way to write them."""
    text = ""
    if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
        text = f"it must be one text, with commas between its values: {quoted(','.join(value))}"
    elif isinstance(value, str) and typed(value) is None:
        text = f"it must be a text: remove it for the default, or write {quoted(value)} with the quotes"
    if text:
        raise PydanticCustomError("one_text", "{text}", {"text": text})
    return value


ChartValues = Annotated[dict[str, Any], BeforeValidator(typed)]
"""The values of one chart, whose keys are the chart's own: no model types them.

They are what YAML 1.2 makes of them: ``true``, ``false`` and numbers without quotes, else text. So ``"false"`` stays a
text here, and a rule can report it; everywhere else in the file the model decides, and quotes mean nothing but that
``true`` and ``false`` in them are not booleans.
"""
