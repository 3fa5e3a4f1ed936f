"""Reading a lock: bytes to lock, or findings. Nothing is raised, whatever the bytes are."""

from __future__ import annotations

import errno
import json
import re
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from neuron_cluster.bounded_file import read_bounded
from neuron_cluster.config.document import read_document
from neuron_cluster.config.file_findings import way_to_read
from neuron_cluster.config.source_map import SourceMap
from neuron_cluster.errors import InvalidEnvironment
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.findings.text import on_one_line
from neuron_cluster.lock.forms import DIGEST
from neuron_cluster.lock.model import Lock
from neuron_cluster.lock.shape import LockShape
from neuron_cluster.lock.tree import CHECKSUM, FORMAT, checksum

CUT_OFF = "was truncated, or is not a lock: the checksum, which ends every lock, is missing or incomplete"
WHOLE_END = rf'(?m)^{CHECKSUM}: "sha256:[0-9a-f]{{64}}"\s*$'


class LoadedLock(Struct, frozen=True):
    """The result of reading. ``lock`` is None without a file, and whenever there is a finding."""

    lock: Lock | None
    findings: tuple[Finding, ...] = ()


def load_lock(path: Path, *, display_name: str, again: str, wanted: Mapping[str, str] | None = None) -> LoadedLock:
    """Reads a lock file. ``display_name`` is its name in findings, ``again`` the command that writes it again.

    ``wanted`` is whose lock it must be: its environment, account and Region, as far as they are known.
    """
    hint = f"run `{again}`, which writes it anew"
    data = _read(path, display_name, hint)
    if data is None:
        return LoadedLock(None)
    return LoadedLock(None, (data,)) if isinstance(data, Finding) else _checked(data, display_name, wanted or {}, hint)


def require_readable(text: str, *, display_name: str) -> None:
    """Raises ``InvalidEnvironment`` for the text of a lock that could not be read: AWS returned an unexpected value."""
    hint = "AWS returned this value; compare it in the console and report it, nothing was written"
    findings = _checked(text.encode(), display_name, {}, hint).findings
    if findings:
        raise InvalidEnvironment(findings)


def _read(path: Path, file: str, hint: str) -> bytes | Finding | None:
    """The bytes; None when there is no such file. A lock with a thousand entries is a tenth of the limit."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return Finding("E9101", Location(file), "is not a file", f"remove it, then {hint}")
        return read_bounded(path)
    except FileNotFoundError:
        return Finding("E9101", Location(file), "is a link to nothing", hint) if path.is_symlink() else None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        if getattr(error, "errno", None) == errno.EFBIG:
            return Finding("E9101", Location(file), f"{reason}, more than a lock can be", hint)
        is_closed = getattr(error, "errno", None) == errno.EACCES
        way = way_to_read(path, file, error) if is_closed else f"remove it, then {hint}"
        return Finding("E9101", Location(file), f"cannot be read: {reason}", way)


def _tree(data: bytes, source: SourceMap, hint: str) -> tuple[dict[str, Any], SourceMap] | Finding:
    """The entries as texts. Everything that makes a file no YAML mapping is one finding: the first."""
    file = source.file
    text = data.decode("utf-8", errors="replace")
    if "\ufffd" in text or "\0" in text:
        line = min(text.count("\n", 0, text.index(odd)) + 1 for odd in ("\ufffd", "\0") if odd in text)
        return Finding("E9102", Location(file, line, 1), "contains bytes that are not text", hint)
    if not text.strip():
        return Finding("E9103", Location(file), "the file is empty: it was truncated", hint)
    document = read_document(text, file)
    if document.tree is None and not re.search(WHOLE_END, text):
        line = text.rstrip().count("\n") + 1
        return Finding("E9103", Location(file, line, 1), CUT_OFF, hint)
    if document.findings:
        first = document.findings[0]
        message = f"is not a lock: {on_one_line(first.message)}"
        return Finding("E9102", replace(first.location, path=on_one_line(first.location.path)), message, hint)
    if not isinstance(document.tree, dict):
        return Finding("E9102", Location(file, 1, 1), "is not a lock: a mapping with the key format is expected", hint)
    return document.tree, document.source


def _checked(data: bytes, file: str, wanted: Mapping[str, str], hint: str) -> LoadedLock:
    """The lock, or what is wrong with it, the most telling first: a newer format explains unknown keys, and so on."""
    read = _tree(data, SourceMap(file), hint)
    if isinstance(read, Finding):
        return LoadedLock(None, (read,))
    tree, source = read
    finding = _format(tree, source, hint) or _cut_off(tree, source, hint) or _edited(tree, source, hint)
    if finding is not None:
        return LoadedLock(None, (finding,))
    shape = LockShape(source, hint)
    lock = shape.lock(tree)
    findings = shape.findings or _foreign(lock, source, wanted, hint)
    return LoadedLock(None, tuple(findings)) if findings else LoadedLock(lock)


def _format(tree: dict[str, Any], source: SourceMap, hint: str) -> Finding | None:
    given = tree.get("format")
    if given == str(FORMAT):
        return None
    if isinstance(given, str) and re.fullmatch(r"[1-9][0-9]{0,8}", given):
        message = f"has format {given}, written by a newer release; this one reads format {FORMAT}"
        return Finding("E9105", source.locate(("format",)), message, f"upgrade the toolkit, or {hint}")
    found = "no format" if given is None else f"the format {ascii(given)[:40]}"
    return Finding("E9105", source.locate(("format",)), f"has {found}; this release reads format {FORMAT}", hint)


def _cut_off(tree: dict[str, Any], source: SourceMap, hint: str) -> Finding | None:
    """The checksum is the last line: where it is not there in full, the end of the file is missing."""
    given = tree.get(CHECKSUM)
    if isinstance(given, str) and re.fullmatch(DIGEST[0], given):
        return None
    last = max(source.places.values(), default=(0, 0))
    return Finding("E9103", Location(source.file, *last), CUT_OFF, hint)


def _edited(tree: dict[str, Any], source: SourceMap, hint: str) -> Finding | None:
    if tree[CHECKSUM] == checksum(tree):
        return None
    message = "was edited after it was written: the checksum is not that of the entries"
    put = "set your own choices in the environment file, which has precedence over its lock: ami_release, ami_id"
    return Finding("E9104", source.locate((CHECKSUM,)), message, f"{hint}; {put}")


def _foreign(lock: Lock, source: SourceMap, wanted: Mapping[str, str], hint: str) -> list[Finding]:
    found = {"environment": lock.environment, "account": lock.account, "region": lock.region}
    return [
        Finding(
            "E9106",
            source.locate((key,)),
            f"is for {key} {found[key]}, the environment is {key} {value}",
            f"{hint}; or write {_key(key)}: {json.dumps(found[key])} in the environment file",
        )
        for key, value in wanted.items()
        if found[key] != value
    ]


def _key(key: str) -> str:
    """How the environment file calls what a lock calls so."""
    return "name" if key == "environment" else key
