"""Whether Slurm reads a value of a setting, and what it reads."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from neuron_cluster.findings.text import listed
from neuron_cluster.schedulers.slurm.time_limit import DAY, FORMS, LONGEST, seconds

if TYPE_CHECKING:
    from neuron_cluster.catalog.slurm_value import SlurmValue

SWITCHES = {"yes": "YES", "true": "YES", "up": "YES", "1": "YES", "no": "NO", "false": "NO", "down": "NO", "0": "NO"}
"""Slurm's booleans, in any case. Source: SchedMD/slurm slurm-25.11: src/common/parse_value.c, s_p_handle_boolean."""
HIGHEST_PORT = 65_535
OTHER_SWITCHES = {"on": "YES", "enabled": "YES", "off": "NO", "disabled": "NO"}
_NUMBER = re.compile(r"0|[1-9][0-9]{0,19}")
_RANGE = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}))?")
_WEIGHT = re.compile(r"[^=,\s]+=-?[0-9]{1,12}(\.[0-9]{1,12})?[KMGTP]?")
SIZE = re.compile(r"([0-9]{1,15})(?:([KMGTkmgt])[Bb]?)?")
"""An amount of memory. Source: SchedMD/slurm slurm-26.05: src/common/proc_args.c, str_to_mbytes."""
_COUNT = re.compile(r"[^,:=\s]+(:[0-9]{1,9})?")


def reads(value: SlurmValue, text: str) -> bool:
    """Whether Slurm reads the text; a word of a newer version too."""
    return _is_word(value, text) or _JUDGES[value.kind](value, text)


def unknown_words(value: SlurmValue, text: str) -> list[str]:
    """Items of a list that are not words of it; the text itself where it is another word."""
    given = _items(text) if value.kind == "list" else [text]
    return [word for word in given if not _is_word(value, word)] if value.words else []


def newer_words(value: SlurmValue, text: str, version: str) -> dict[str, str]:
    """Words of the text that the version does not have yet, each with the first version that has it."""
    known = {word.lower(): (word, first) for word, first in value.words.items()}
    found = (known.get(word.lower()) for word in _items(text))
    return {word: first for word, first in filter(None, found) if first > version}


def excluded_words(value: SlurmValue, text: str) -> list[str]:
    """Words of the text that exclude each other."""
    given = {word.lower() for word in _items(text)}
    found = [word for word in value.one_of if word.lower() in given]
    return found if len(found) > 1 else []


def allowed(value: SlurmValue, version: str) -> str:
    """Values that Slurm reads, after ``it must be``."""
    words = [word for word, first in value.words.items() if first <= version]
    match value.kind:
        case "word" | "plugin":
            return listed(words, "or")
        case "list":
            return f"one or more of {listed(words)}, with commas between"
        case "number":
            unit = f" of {value.unit}" if value.unit else ""
            form = f"a whole number{unit} from {value.minimum} to {value.maximum}"
        case "time":
            form = f"a time {'above 0 and ' if value.minimum else ''}of up to {LONGEST // DAY} days ({FORMS})"
        case "pattern":
            form = value.form
        case "ranges" if value.maximum is not None:
            form = f"{_FORMS['ranges']}, up to {value.maximum}"
        case kind:
            form = _FORMS[kind]
    return listed([form, *words], "or")


def likely(value: SlurmValue, text: str) -> str:
    """Returns the value that the text most likely means; empty where that is not certain."""
    plain = text.strip().lower()
    switch = SWITCHES.get(plain) or OTHER_SWITCHES.get(plain, "")
    if value.kind == "switch":
        return switch
    if set(value.words) == {"0", "1"}:
        return {"YES": "1", "NO": "0"}.get(switch, "")
    number = plain.lstrip("0") or "0"
    return number if value.kind == "number" and number != text and _is_number(value, number) else ""


_FORMS = {
    "switch": "YES or NO",
    "ranges": "whole numbers and ranges with commas between, such as 1-9,18",
    "ports": "two ports with - between, the lower one first, such as 60001-63000",
    "weights": "types and their weights with commas between, such as CPU=1.0,Mem=0.25G",
    "size": "a whole number of MiB, or one with K, M, G or T, such as 600G",
    "counts": "names and counts with commas between, such as foo:4,bar",
}


def _items(text: str) -> list[str]:
    """Returns the items of a list as Slurm splits it: empty ones are skipped."""
    return [item for item in text.split(",") if item]


def _is_word(value: SlurmValue, text: str) -> bool:
    return text in value.words or (value.kind != "plugin" and text.lower() in {word.lower() for word in value.words})


def _is_number(value: SlurmValue, text: str) -> bool:
    """Slurm reads a number that begins with 0 in base 8."""
    if _NUMBER.fullmatch(text) is None:
        return False
    return (value.minimum or 0) <= int(text) <= (int(text) if value.maximum is None else value.maximum)


def _is_time(value: SlurmValue, text: str) -> bool:
    found = seconds(text)
    return found is not None and found >= (value.minimum or 0)


def _are_ranges(value: SlurmValue, text: str) -> bool:
    def is_range(item: str) -> bool:
        found = _RANGE.fullmatch(item)
        if found is None:
            return False
        low, high = int(found[1]), int(found[2] or found[1])
        return low <= high and (value.maximum is None or high <= value.maximum)

    return _all(text, is_range)


def _are_ports(_value: SlurmValue, text: str) -> bool:
    found = _RANGE.fullmatch(text)
    return found is not None and found[2] is not None and int(found[1]) < int(found[2]) <= HIGHEST_PORT


def _all(text: str, is_item: Callable[[str], object]) -> bool:
    items: Iterable[str] = _items(text)
    return bool(items) and all(map(is_item, items))


_JUDGES: Mapping[str, Callable[[SlurmValue, str], bool]] = {
    "number": _is_number,
    "time": _is_time,
    "switch": lambda _, text: text.lower() in SWITCHES,
    "word": _is_word,
    "plugin": _is_word,
    "list": lambda value, text: _all(text, lambda item: _is_word(value, item)),
    "ranges": _are_ranges,
    "ports": _are_ports,
    "weights": lambda _, text: _all(text, _WEIGHT.fullmatch),
    "counts": lambda _, text: _all(text, _COUNT.fullmatch),
    "size": lambda _, text: SIZE.fullmatch(text) is not None,
    "pattern": lambda value, text: re.fullmatch(value.pattern, text) is not None,
}
