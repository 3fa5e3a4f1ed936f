"""A template becomes the environment file of a user: name, account, Region, instances and teams of its own."""

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
from neuron_cluster.starter.checkpoints_text import with_checkpoints_of
from neuron_cluster.starter.comments import OF_A_PURCHASE_OPTION, OF_A_REGION, with_head, without_sentences
from neuron_cluster.starter.machines import machines_of_template, path_of_machines
from neuron_cluster.starter.machines_text import with_machines
from neuron_cluster.starter.new_environment import NewEnvironment, Proposal, proposals, purpose_of
from neuron_cluster.starter.teams_text import with_teams
from neuron_cluster.starter.template import SUFFIX, Template
from neuron_cluster.upgrade.file_edit import FileEdit, edited_text, scalar_values

COMMAND = "neuron-cluster "
WHY = "of a new environment"
DEVELOP = "develop"


class Written(Struct, frozen=True):
    """The text of an environment file; ``rejected``: better instances that were not taken, with the reason."""

    text: str
    rejected: tuple[str, ...] = ()


def environment_text(template: Template, new: NewEnvironment, catalog: Catalog) -> Written:
    """The environment file. Raises ``ToolkitError`` when the template is not valid with these values."""
    if not new.has_own_machines:
        return _require_valid(_text(template, new, None, catalog), template, new)
    rejected: list[str] = []
    first: ToolkitError | None = None
    for proposal in proposals(template, new, catalog):
        try:
            text = _require_valid(_text(template, new, proposal, catalog), template, new).text
        except ToolkitError as error:
            first = first or error
            rejected.append(f"{proposal.machines.count} x {proposal.machines.instance_type}: {error.message}")
        else:
            return Written(text, tuple(rejected))
    raise first or ToolkitError("no instances fit")


def _text(template: Template, new: NewEnvironment, proposal: Proposal | None, catalog: Catalog) -> str:
    given = scalar_values(template.text)
    zones = _zones(template, new, proposal, given, catalog)
    text = edited_text(template.text, _edits(new, zones, given))
    text = _for_this_environment(text, template.name, given[("account",)], new)
    stale = [re.escape(zone) for zone in zones]
    if new.region != given[("region",)]:
        stale += [OF_A_REGION, re.escape(given[("region",)])]
    if new.model is not None:
        text = with_checkpoints_of(text, new.model)
    if proposal is not None:
        text, of_machines = _with_machines(text, template, new, proposal, catalog)
        stale += of_machines
    text = without_sentences(text, stale)
    return with_teams(text, path_of_machines(template), new.teams, catalog) if new.teams else text


def _with_machines(
    text: str, template: Template, new: NewEnvironment, proposal: Proposal, catalog: Catalog
) -> tuple[str, list[str]]:
    """The text with the instances, and patterns of sentences that no longer hold."""
    before, after = machines_of_template(template), proposal.machines
    starts_empty = purpose_of(template, new) == DEVELOP
    path = path_of_machines(template)
    text = with_machines(text, path, before, after, starts_empty=starts_empty, catalog=catalog)
    stale = []
    if before.instance_type != after.instance_type:
        stale.append(re.escape(before.instance_type))
    if before.purchase_option != after.purchase_option:
        stale += [OF_A_PURCHASE_OPTION[before.purchase_option]] if before.purchase_option != "on_demand" else []
    return with_head(text, proposal.description), stale


def _edits(new: NewEnvironment, zones: Mapping[str, str], given: Mapping[KeyPath, str]) -> Iterator[FileEdit]:
    account = given[("account",)]
    wanted: dict[KeyPath, str] = {("name",): new.name, ("region",): new.region}
    for path, value in given.items():
        after = wanted.get(path)
        if after is None and account in value:
            after = value.replace(account, new.account)  # the account itself, and ARNs
        if after is None:
            after = zones.get(value)
        if after is not None and after != value:
            yield FileEdit(path, value, after, WHY)


def _zones(
    template: Template, new: NewEnvironment, proposal: Proposal | None, given: Mapping[KeyPath, str], catalog: Catalog
) -> dict[str, str]:
    """For each zone id of the template, the one to write: those that offer the instances come first.

    Raises ``ToolkitError`` where the Region has fewer zones.
    """
    region = given[("region",)]
    used = tuple(dict.fromkeys(value for value in given.values() if value in catalog.zone_ids(region)))
    offering = _offering(template, new, proposal, catalog)
    if new.region == region and (not offering or used[0] in offering):
        return {}
    others = sorted(catalog.zone_ids(new.region), key=lambda zone: zone not in offering)
    if len(used) > len(others):
        message = f"template {template.name} uses {len(used)} Availability Zones; the Region has {len(others)}"
        raise ToolkitError(message, hint="choose another Region: `neuron-cluster catalog regions`")
    return dict(zip(used, others, strict=False))


def _offering(template: Template, new: NewEnvironment, proposal: Proposal | None, catalog: Catalog) -> tuple[str, ...]:
    """Zones of the Region that offer the instances."""
    if template.row.machines is None:
        return ()
    machines = proposal.machines if proposal is not None else machines_of_template(template)
    row = catalog.instance_type(machines.instance_type)
    return row.zone_ids.get(new.region, ()) if row is not None else ()


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


def _require_valid(text: str, template: Template, new: NewEnvironment) -> Written:
    """Raises ``ToolkitError`` with the errors of the text."""
    errors = _errors(text, new.name)
    if errors:
        shown = "\n".join(f"{each.id} {each.location.path}: {each.message}" for each in errors)
        hint = "choose another Region or template: `neuron-cluster init --list-templates`"
        message = f"template {template.name} is not valid with account {new.account} in {new.region}"
        raise ToolkitError(f"{message}\n{shown}", hint=hint)
    return Written(text)


def _errors(text: str, name: str) -> list[Finding]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}{SUFFIX}"
        path.write_text(text, encoding="utf-8")
        findings = check_environment(path, display_name=path.name).findings
    return [each for each in findings if each.severity is Severity.ERROR]
