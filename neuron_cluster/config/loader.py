"""Reading an environment file: bytes to model, with everything that is wrong on the way."""

from __future__ import annotations

import codecs
import errno
from pathlib import Path

import msgspec
from msgspec import Struct

from neuron_cluster.bounded_file import read_bounded
from neuron_cluster.config.document import read_document
from neuron_cluster.config.environment_config import EnvironmentConfig
from neuron_cluster.config.file_findings import OTHER_FILE, way_to_read
from neuron_cluster.config.repairs import Repairs
from neuron_cluster.config.source_map import SourceMap
from neuron_cluster.config.validation import validate_tree
from neuron_cluster.config.zone_examples import ZonesOf
from neuron_cluster.findings.finding import Finding, Location

UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class LoadedEnvironment(Struct, frozen=True):
    """What was read. ``config`` may be there beside errors, so that the rules can report what else is wrong."""

    config: EnvironmentConfig | None
    findings: tuple[Finding, ...]
    source: SourceMap
    repairs: Repairs = msgspec.field(default_factory=Repairs)


def load_environment(
    path: Path, *, display_name: str | None = None, zones_of: ZonesOf = lambda _: ()
) -> LoadedEnvironment:
    """Reads an environment file; every mistake is a finding and nothing is raised.

    ``display_name`` is the name that findings give the file (default: the path as given), ``zones_of`` gives the zone
    ids of a Region, for their examples.
    """
    file = display_name or str(path)
    text = _read_text(path, file)
    if isinstance(text, Finding):
        return LoadedEnvironment(None, (text,), SourceMap(file))
    document = read_document(text, file)
    if document.tree is None:
        return LoadedEnvironment(None, tuple(document.findings), document.source)
    shaped = validate_tree(document.tree, document.source, zones_of)
    for item in document.doubtful:
        shaped.repairs.add(item)
    return LoadedEnvironment(shaped.config, (*document.findings, *shaped.findings), document.source, shaped.repairs)


def _read_text(path: Path, file: str) -> str | Finding:
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
