"""How a field is written: an example inside the sections around it."""

from __future__ import annotations

from typing import Any

import yaml


class _Indented(yaml.SafeDumper):
    """Lists stand two columns to the right of their key, as in the shipped files."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        del indentless
        super().increase_indent(flow, indentless=False)


def example_yaml(path: str, value: Any) -> str:
    """YAML that holds ``value`` at a pattern path, ``eks.node_groups[].count``, and nothing beside it."""
    *around, key = path.split(".")
    lines: list[str] = []
    indent, dash = 0, ""
    for section in around:
        lines.append(f"{' ' * indent}{dash}{section.removesuffix('[]')}:")
        indent += 2 + len(dash)
        dash = "- " if section.endswith("[]") else ""
    first, *rest = _written(key, value)
    lines.append(f"{' ' * indent}{dash}{first}")
    lines += [f"{' ' * (indent + len(dash))}{line}" for line in rest]
    return "\n".join(lines) + "\n"


def _written(key: str, value: Any) -> list[str]:
    """The lines of one key. Mappings and lists of plain values stand on one line."""
    # Beside a mapping no key is written on one line with its braces: that is left to what stands below it.
    text = yaml.dump({"_": {}, key: value}, Dumper=_Indented, sort_keys=False, default_flow_style=None, width=10_000)
    return text.splitlines()[1:]
