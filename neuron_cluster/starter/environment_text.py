"""A template becomes the environment file of a user: another name, account and Region."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.finding import Finding, Severity
from neuron_cluster.pipeline import check_environment
from neuron_cluster.starter.template import SUFFIX, Template
from neuron_cluster.upgrade.file_edit import FileEdit, edited_text, scalar_values

COMMAND = "neuron-cluster "
WHY = "of a new environment"


class NewEnvironment(Struct, frozen=True):
    """What a user decides about a new environment."""

    name: str
    account: str
    region: str


def environment_text(template: Template, new: NewEnvironment, catalog: Catalog) -> str:
    """The environment file. Raises ``ToolkitError`` when the template is not valid with these values."""
    given = scalar_values(template.text)
    edits = _edits(template, new, catalog, given)
    text = _for_this_environment(edited_text(template.text, edits), template.name, given[("account",)], new)
    errors = _errors(text, new.name)
    if errors:
        shown = "\n".join(f"{each.id} {each.location.path}: {each.message}" for each in errors)
        hint = "choose another Region or template: `neuron-cluster init --list-templates`"
        message = f"template {template.name} is not valid with account {new.account} in {new.region}"
        raise ToolkitError(f"{message}\n{shown}", hint=hint)
    return text


def _edits(
    template: Template, new: NewEnvironment, catalog: Catalog, given: Mapping[KeyPath, str]
) -> Iterator[FileEdit]:
    account, region = given[("account",)], given[("region",)]
    zones = _zones(template, given, catalog.zone_ids(region), catalog.zone_ids(new.region))
    wanted: dict[KeyPath, str] = {("name",): new.name, ("region",): new.region}
    for path, value in given.items():
        after = wanted.get(path)
        if after is None and account in value:
            after = value.replace(account, new.account)  # the account itself, and ARNs
        if after is None and region != new.region:
            after = zones.get(value)
        if after is not None and after != value:
            yield FileEdit(path, value, after, WHY)


def _zones(
    template: Template, given: Mapping[KeyPath, str], known: tuple[str, ...], others: tuple[str, ...]
) -> dict[str, str]:
    """For each zone id of the template, one of the other Region. Raises ``ToolkitError`` where it has fewer zones."""
    used = tuple(dict.fromkeys(value for value in given.values() if value in known))
    if len(used) > len(others):
        message = f"template {template.name} uses {len(used)} Availability Zones; the Region has {len(others)}"
        raise ToolkitError(message, hint="choose another Region: `neuron-cluster catalog regions`")
    return dict(zip(used, others, strict=False))


def _for_this_environment(text: str, template: str, placeholder: str, new: NewEnvironment) -> str:
    """Commands in comments name the environment; without the line about the account id of the template."""
    lines = text.splitlines(keepends=True)
    named = re.compile(rf"(?<= ){re.escape(template)}$", re.MULTILINE)
    is_replaced = placeholder != new.account
    return "".join(
        named.sub(new.name, line) if line.startswith("#") and COMMAND in line else line
        for line in lines
        if not (is_replaced and line.startswith("#") and placeholder in line)
    )


def _errors(text: str, name: str) -> list[Finding]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}{SUFFIX}"
        path.write_text(text, encoding="utf-8")
        findings = check_environment(path, display_name=path.name).findings
    return [each for each in findings if each.severity is Severity.ERROR]
