"""The text of an environment file or a base: bytes in, text or the finding about them out."""

from __future__ import annotations

import codecs
import errno
from pathlib import Path

from neuron_cluster.bounded_file import read_bounded
from neuron_cluster.config.file_findings import OTHER_FILE, way_to_read
from neuron_cluster.findings.finding import Finding, Location

UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def read_text(path: Path, file: str) -> str | Finding:
    """The text, else E0001 or E0002. ``file`` is the name that findings give it."""
    place = Location(file)
    try:
        if path.is_dir():
            return Finding("E0001", place, "this is a directory", "name a YAML file, or an environment by its name")
        data = read_bounded(path)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        if isinstance(error, OSError) and error.errno == errno.EFBIG:
            return Finding("E0002", place, f"{reason}, more than an environment file can be", OTHER_FILE)
        return Finding("E0001", place, f"cannot be read: {reason}", way_to_read(path, file, error))
    return decoded(data, file)


def decoded(data: bytes, file: str) -> str | Finding:
    """The text, else E0002."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"not UTF-8 text: byte 0x{data[error.start]:02x} at position {error.start}"
        is_text = data.startswith(UTF_16) or b"\0" not in data
        hint = "save it as UTF-8" if is_text else "this is not a text file; name the environment's YAML file"
        return Finding("E0002", Location(file, line, 1), message, hint)
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        hint = "remove it; with many of them this is not a text file: then name the environment's YAML file"
        return Finding("E0002", Location(file, line, 1), "contains a NUL byte", hint)
    return text
