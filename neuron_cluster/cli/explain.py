"""``neuron-cluster explain``: what a finding or a field of the environment file means."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from neuron_cluster.cli.arguments import Verbs, add_verb

if TYPE_CHECKING:
    from pathlib import Path

    from neuron_cluster.report.text_page import TextPage

EXAMPLES = """  neuron-cluster explain                  all sections and findings
  neuron-cluster explain E3007            one finding: rule, reason, source
  neuron-cluster explain E3               every finding of chapter 3
  neuron-cluster explain eks.node_groups  a section and its keys
  neuron-cluster explain eks.node_groups[].capacity
  neuron-cluster explain network.nat --format json
  neuron-cluster explain docs/storage.md  the page that a message names
  neuron-cluster explain --json-schema plan"""

TEXT = """Explain a finding by its id, or a field of the environment file by its path:
meaning, allowed values, default, the effect of an edit on a deployed
environment, and an example. Prints a page that messages name, such as
docs/storage.md or charts/model-store/values.yaml. Runs offline; list indexes
may be left out. Without a topic, lists all fields and findings. With
--json-schema, prints the JSON Schema of what a command prints with
--format json (docs/json/index.md)."""


def add_to(verbs: Verbs) -> None:
    parser = add_verb(
        verbs, "explain", run, summary="explain a finding or a field of the file", text=TEXT, examples=EXAMPLES
    )
    parser.add_argument(
        "topic",
        metavar="TOPIC",
        nargs="?",
        help="id of a finding, such as E3007, path of a field, such as eks, or path of a page",
    )
    parser.add_argument(
        "--json-schema",
        metavar="COMMAND",
        nargs="+",
        help="print the JSON Schema of the output of a command, such as `plan` or `workload list`",
    )


def run(options: argparse.Namespace) -> int:
    if options.json_schema is not None:
        return _show_json_schema(options.topic, " ".join(options.json_schema))
    if options.topic is None:
        return _show_everything(options.format)
    from neuron_cluster.cli.explained_fields import explained_field, similar_fields
    from neuron_cluster.errors import InvalidEnvironment
    from neuron_cluster.findings.registry import finding_specs, specs_of_topic
    from neuron_cluster.report.explain_finding import chapter_lists, finding_page, unknown_topic
    from neuron_cluster.report.text_page import TextPage
    from neuron_cluster.toolkit_files import toolkit_page

    topic = options.topic.strip()
    if (field := explained_field(topic)) is not None:
        return _show(options.format, field.page, field.data)
    if (finding := finding_specs().get(topic.upper())) is not None:
        return _show(options.format, finding_page(finding), finding.as_dict())
    if chapter := specs_of_topic(topic):
        page = TextPage(f"Findings {topic.upper()}", "", lists=chapter_lists(chapter))
        return _show(options.format, page, {"finding_specs": [spec.as_dict() for spec in chapter]})
    if (page_file := toolkit_page(topic)) is not None:
        return _show_page(topic, page_file, options.format)
    near = _similar_ids(topic) or _similar_pages(topic) or similar_fields(topic)
    raise InvalidEnvironment([unknown_topic(options.topic, near)])


def _show_page(name: str, file: Path, output_format: str) -> int:
    from neuron_cluster.errors import ToolkitError

    if output_format == "json":
        raise ToolkitError(f"{name} is a page of text, not JSON", hint="leave out --format json")
    print(file.read_text(encoding="utf-8"), end="")
    return 0


def _similar_pages(topic: str) -> list[str]:
    """Returns the pages that are spelt like the path, or end like it."""
    from neuron_cluster.findings.suggestions import MAX_SUGGESTIONS, suggestions
    from neuron_cluster.toolkit_files import page_names

    if not topic.endswith((".md", ".yaml")):
        return []
    names = sorted(page_names(), key=lambda name: name.count("/"))
    return [name for name in names if name.endswith(f"/{topic}")][:MAX_SUGGESTIONS] or suggestions(topic, names)


def _show_json_schema(topic: str | None, command: str) -> int:
    from neuron_cluster.cli.json_schemas import schema_text
    from neuron_cluster.errors import ToolkitError

    if topic is not None:
        raise ToolkitError(
            f"the topic {topic!r} and --json-schema exclude each other",
            hint=f"leave one out: `neuron-cluster explain --json-schema {command}`",
        )
    print(schema_text(command), end="")
    return 0


def _similar_ids(topic: str) -> list[str]:
    """Returns ids for a misspelt id: the one with the same number, else those that are spelt alike."""
    from neuron_cluster.findings.registry import finding_specs
    from neuron_cluster.findings.suggestions import suggestions

    if topic[:1].upper() not in ("E", "W") or not topic[1:].isdigit():
        return []
    same_number = [known for known in finding_specs() if known[1:] == topic[1:]]
    return same_number or suggestions(topic, finding_specs())


def _show_everything(output_format: str) -> int:
    from neuron_cluster.cli.explained_fields import sections
    from neuron_cluster.config.field_docs import pattern_paths
    from neuron_cluster.findings.registry import finding_specs
    from neuron_cluster.report.explain_finding import chapter_lists
    from neuron_cluster.report.text_page import TextPage

    specs = list(finding_specs().values())
    page = TextPage(
        heading="Fields and findings",
        lead="Name a field by its path or a finding by its id: `neuron-cluster explain eks.version`.",
        lists=(("Sections of the environment file", sections()), *chapter_lists(specs)),
    )
    fields = list(pattern_paths().values())
    return _show(output_format, page, {"fields": fields, "finding_specs": [spec.as_dict() for spec in specs]})


def _show(output_format: str, page: TextPage, data: dict[str, Any]) -> int:
    from neuron_cluster.cli.terminal import print_json, width
    from neuron_cluster.report.text_page import text_of
    from neuron_cluster.toolkit_files import with_page_commands

    if output_format == "json":
        print_json({**data, "findings": []})
    else:
        print(with_page_commands(text_of(page, width())), end="")
    return 0
