"""The JSON Schemas of what commands print with ``--format json``; ``tools/write_json_pages.py`` writes the files."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent / "formats"
END = ".schema.json"
BETWEEN_WORDS = "."
"""In names of files: ``workload.status``; a hyphen is part of ``upgrade-toolkit``."""


def described_commands() -> list[str]:
    """Commands with a schema, by name: ``workload status``."""
    return sorted(file.name.removesuffix(END).replace(BETWEEN_WORDS, " ") for file in FOLDER.glob(f"*{END}"))


def schema_file(command: str) -> Path:
    """The file with the schema of a command."""
    return FOLDER / f"{command.replace(' ', BETWEEN_WORDS)}{END}"


def schema_text(command: str) -> str:
    """The schema of a command as JSON. Raises ``ToolkitError`` for a command without one."""
    from neuron_cluster.errors import ToolkitError
    from neuron_cluster.findings.suggestions import did_you_mean, suggestions
    from neuron_cluster.findings.text import listed

    known = described_commands()
    if command not in known:
        near = suggestions(command, known) or [each for each in known if f"{each} ".startswith(f"{command} ")]
        near = near or [each for each in known if command.startswith(f"{each} ")]
        hint = did_you_mean(near) if near else f"one of {listed(known)}"
        raise ToolkitError(f"{command!r} is not a command with JSON output", hint=hint.strip())
    return schema_file(command).read_text("utf-8")
