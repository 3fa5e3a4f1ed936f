"""What stands in place of pydantic's own words: they speak of lists after validation and of valid booleans."""

from __future__ import annotations

from pydantic_core import ErrorDetails

from neuron_cluster.config.in_words import IN_WORDS
from neuron_cluster.config.scalars import ZONE_ID_PATTERN
from neuron_cluster.config.zone_examples import ZoneExamples

WANTED = {
    "model_type": "keys and values",
    "model_attributes_type": "keys and values",
    "dict_type": "keys and values",
    "list_type": "a list",
    "string_type": "a text",
    "int_type": "a whole number",
    "bool_type": "true or false",
}
"""What is wanted, by pydantic's error type for a mapping, list or text where another of them is expected."""


def allowed_words(details: ErrorDetails, zones: ZoneExamples) -> str:
    """What is allowed, to be read after ``name is given; ``."""
    match details.get("ctx", {}):
        case {"pattern": str(pattern)}:
            words = f"it must be {zones.words if pattern == ZONE_ID_PATTERN else IN_WORDS[pattern]}"
        case {"expected": expected} | {"expected_tags": expected}:
            words = f"allowed: {expected}"
        case {"min_length": int(least)}:
            words = f"it must have at least {_counted(least, details)}"
        case {"max_length": int(most)}:
            words = f"it must have at most {_counted(most, details)}"
        case {"ge": least}:
            words = f"it must be at least {least}"
        case {"le": most}:
            words = f"it must be at most {most}"
        case _:
            words = details["msg"]
    return words


def _counted(number: int, details: ErrorDetails) -> str:
    """``1 item``; ``6 items, not 7``; ``63 characters, not 80``."""
    given = len(details["input"])
    thing = "item" if isinstance(details["input"], list) else "character"
    words = f"{number} {thing}{'' if number == 1 else 's'}"
    return f"{words}, not {given}" if given else words
