"""The output of ``init`` and ``new`` about the files that they have written, and the templates of environments."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from neuron_cluster.starter.environment_text import Written
    from neuron_cluster.table import Table


def list_templates(output_format: str) -> int:
    """Prints the templates with their purposes."""
    from neuron_cluster.cli.terminal import print_json, print_tables
    from neuron_cluster.starter.data_file import purposes
    from neuron_cluster.starter.template import templates, templates_for

    if output_format == "json":
        rows = [
            {"name": each.name, "purposes": list(each.row.purposes), "summary": each.summary} for each in templates()
        ]
        of_purposes = [
            {"name": name, "text": row.text, "templates": list(templates_for(name))} for name, row in purposes().items()
        ]
        print_json({"purposes": of_purposes, "templates": rows, "findings": []})
    else:
        print_tables(_tables())
    return 0


def _tables() -> list[Table]:
    from neuron_cluster.starter.data_file import purposes
    from neuron_cluster.starter.template import templates, templates_for
    from neuron_cluster.table import Table

    by_purpose = tuple((name, row.text, ", ".join(templates_for(name))) for name, row in purposes().items())
    rows = tuple((each.name, each.summary) for each in templates())
    return [
        Table("Purposes of environments", ("purpose", "for", "templates, the default first"), by_purpose),
        Table("Templates of environment files", ("template", "environment"), rows),
    ]


def print_written(written: Written) -> None:
    """Instances that were not taken, and keys of the files whose values stand for one of the user's."""
    from neuron_cluster.cli.terminal import print_findings, print_paragraph
    from neuron_cluster.starter.placeholders import placeholders_in

    for each in written.rejected:
        print_paragraph(f"Cheaper, but not taken: {each.count} x {each.instance_type}: {each.reason}", sys.stdout)
    print_findings(written.doubts, sys.stdout)
    for name, text in written.to_edit.items():
        place = f"{name}, " if text is not written.text else ""
        for keys, write in placeholders_in(text):
            print(f"Edit before a deploy to AWS: {place}{', '.join(keys)}: {write}")


def written_as_data(written: Written, shown: Callable[[str], str]) -> dict[str, Any]:
    """The same for ``--format json``; ``shown`` makes the path of a file from its path in ``environments/``."""
    from neuron_cluster.report.plain_data import plain
    from neuron_cluster.starter.placeholders import placeholders_in

    return {
        "rejected": plain(written.rejected),
        "to_edit": [
            {"file": shown(name), "keys": list(keys), "write": write}
            for name, text in written.to_edit.items()
            for keys, write in placeholders_in(text)
        ],
    }
