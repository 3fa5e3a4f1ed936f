"""A template becomes the environment file of a user: name, account, Region, instances and teams of its own."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.config.source_map import KeyPath, format_path
from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.finding import Finding, Severity
from neuron_cluster.lock.paths import FOLDER, lock_command, lock_path
from neuron_cluster.lock.writer import lock_text
from neuron_cluster.pipeline import check_environment
from neuron_cluster.starter.checkpoints_text import PATH as CHECKPOINTS
from neuron_cluster.starter.checkpoints_text import with_checkpoints_of, without_checkpoints
from neuron_cluster.starter.comments import (
    OF_A_PURCHASE_OPTION,
    OF_A_REGION,
    OF_ALL_ZONES,
    with_head,
    without_sentences,
)
from neuron_cluster.starter.data_file import purposes
from neuron_cluster.starter.device_shares import devices_of
from neuron_cluster.starter.example_lock import EXAMPLE, example_lock
from neuron_cluster.starter.followed_hints import with_followed_hints
from neuron_cluster.starter.machines import Machines, machines_of_template, path_of_machines
from neuron_cluster.starter.machines_text import with_machines, with_offering_zones
from neuron_cluster.starter.new_environment import NewEnvironment, Proposal, proposals, purpose_of
from neuron_cluster.starter.offered_types import require_offered
from neuron_cluster.starter.purchase_options import RESERVED
from neuron_cluster.starter.quotas_text import with_quotas
from neuron_cluster.starter.replacements import Replacements
from neuron_cluster.starter.serving_text import with_server
from neuron_cluster.starter.teams_text import with_teams
from neuron_cluster.starter.template import SUFFIX, Template
from neuron_cluster.upgrade.file_edit import FileEdit, edited_text, scalar_values

COMMAND = "neuron-cluster "
WHY = "of a new environment"
SALE = ("W3003", "W3031")
"""Findings: not offered in the Region or zones when the catalog was checked, and no on-demand price in any Region."""
SERVE = "serve"
"""The purpose whose environments have a server of models."""


class RejectedMachines(Struct, frozen=True):
    """Cheaper instances that fit the model, and are not valid in the environment, or perhaps not sold there."""

    instance_type: str
    count: int
    reason: str


class Written(Struct, frozen=True):
    """An environment file and what it needs."""

    files: Mapping[str, str]
    """Texts by path in ``environments/``, that of the environment first."""
    bases: tuple[str, ...] = ()
    """Names of the files that other environments extend too."""
    rejected: tuple[RejectedMachines, ...] = ()
    doubts: tuple[Finding, ...] = ()
    """Warnings that the instances may not be sold in this way or Region."""

    @property
    def text(self) -> str:
        """Text of the environment file."""
        return next(iter(self.files.values()))

    @property
    def to_edit(self) -> dict[str, str]:
        """The environment file and its bases; AWS returns what a lock has."""
        own = next(iter(self.files))
        return {name: text for name, text in self.files.items() if name == own or name in self.bases}


def environment_text(template: Template, new: NewEnvironment, catalog: Catalog) -> Written:
    """The environment file. Raises ``ToolkitError`` when the template is not valid with these values."""
    if not new.has_own_machines:
        files, doubts = _valid_files(template, new, None, catalog)
        return Written(files, tuple(template.bases), (), doubts)
    rejected: list[RejectedMachines] = []
    first: ToolkitError | None = None
    in_doubt: Written | None = None
    for proposal in proposals(template, new, catalog):
        try:
            files, doubts = _valid_files(template, new, proposal, catalog)
        except ToolkitError as error:
            first = first or error
            machines = proposal.machines
            rejected.append(RejectedMachines(machines.instance_type, machines.count, error.message))
        else:
            written = Written(files, tuple(template.bases), tuple(rejected), doubts)
            if not doubts:
                return written
            in_doubt = in_doubt or written
            machines = proposal.machines
            rejected.append(RejectedMachines(machines.instance_type, machines.count, doubts[0].message))
    if in_doubt is not None:
        return in_doubt
    raise first or ToolkitError("no instances fit")


def _valid_files(
    template: Template, new: NewEnvironment, proposal: Proposal | None, catalog: Catalog
) -> tuple[dict[str, str], tuple[Finding, ...]]:
    """``Written.files`` and ``doubts``. Raises ``ToolkitError`` when the template is not valid with these values."""
    zones = _zones(template, new, proposal, catalog)
    account, region = (template.value("account"), new.account), (template.value("region"), new.region)
    replaced = Replacements(account, region, zones)
    own = f"{new.name}{SUFFIX}"
    files = {own: _text(template, new, proposal, replaced, catalog)}
    files |= {path: _replaced(text, template.name, new, replaced) for path, text in template.bases.items()}
    require_offered(template, new, files.values(), catalog)
    lock = example_lock(template.lock, new.name, replaced) if template.lock is not None else None
    if lock is not None:
        files[str(lock_path(Path(FOLDER), new.name))] = lock_text(lock, EXAMPLE, lock_command(new.name))
    errors, doubts = _findings(files, new.name)
    if proposal is not None and errors:
        files[own] = with_followed_hints(files[own], errors)
        errors, doubts = _findings(files, new.name)
    if new.model is None and errors and all(_is_about_checkpoints(each) for each in errors):
        files[own] = without_checkpoints(files[own])  # the model of the template needs more nodes
        errors, doubts = _findings(files, new.name)
    _require_none(errors, template, new)
    return files, doubts


def _text(
    template: Template, new: NewEnvironment, proposal: Proposal | None, replaced: Replacements, catalog: Catalog
) -> str:
    text = _replaced(template.text, template.name, new, replaced)
    stale = [re.escape(zone) for zone in replaced.zones]
    before, after = replaced.region
    if after != before:
        stale += [OF_A_REGION, re.escape(before)]
    if proposal is not None:
        stale += _stale(machines_of_template(template), proposal.machines)
    text = without_sentences(text, stale)  # before the comments of other instances, which hold
    if new.model is not None:
        text = with_checkpoints_of(text, new.model, catalog)
    if proposal is not None:
        text = _with_machines(text, template, new, proposal, catalog)
    if after != before and not template.bases:
        text = with_offering_zones(text, catalog)
    if purpose_of(template, new) == SERVE and not template.bases:
        text = with_server(text, path_of_machines(template), catalog)
    if new.teams:
        return with_teams(text, path_of_machines(template), new.teams, catalog)
    return _with_quotas(text, template, catalog) if proposal is not None else text


def _replaced(text: str, template: str, new: NewEnvironment, replaced: Replacements) -> str:
    edits = _edits(scalar_values(text), new.name, replaced)
    return _for_this_environment(edited_text(text, edits), template, replaced.account[0], new)


def _with_machines(text: str, template: Template, new: NewEnvironment, proposal: Proposal, catalog: Catalog) -> str:
    before, after = machines_of_template(template), proposal.machines
    purpose = purpose_of(template, new)
    starts_empty = purpose is not None and purposes()[purpose].starts_empty
    path = path_of_machines(template)
    text = with_machines(text, path, before, after, starts_empty=starts_empty, catalog=catalog)
    return with_head(text, proposal.description)


def _with_quotas(text: str, template: Template, catalog: Catalog) -> str:
    """With the teams of the template, and the same shares of other instances."""
    before = machines_of_template(template)
    devices = devices_of(before.instance_type, before.count, catalog).all
    return with_quotas(text, path_of_machines(template), devices, catalog)


def _stale(before: Machines, after: Machines) -> Iterator[str]:
    """Patterns of sentences that do not hold for other instances."""
    if before.instance_type != after.instance_type:
        yield re.escape(before.instance_type)
    if before.purchase_option != after.purchase_option:
        yield from filter(None, [OF_A_PURCHASE_OPTION.get(before.purchase_option)])
        if after.purchase_option in RESERVED:
            yield OF_ALL_ZONES


def _edits(given: Mapping[KeyPath, str], name: str, replaced: Replacements) -> Iterator[FileEdit]:
    for path, value in given.items():
        after = name if path == ("name",) else replaced.after(value)
        if after != value:
            yield FileEdit(path, value, after, WHY)


def _zones(template: Template, new: NewEnvironment, proposal: Proposal | None, catalog: Catalog) -> dict[str, str]:
    """Returns the zone id to write for each zone id of the template: zones that offer the instances come first.

    Raises ``ToolkitError`` where the Region has fewer zones.
    """
    region = template.value("region")
    given = (value for values in template.values for value in values.values())
    used = tuple(dict.fromkeys(value for value in given if value in catalog.regions.zone_ids(region)))
    offering = _offering(template, new, proposal, catalog)
    if new.region == region and (not offering or used[0] in offering):
        return {}
    also = _also_offering(template, new.region, catalog)
    others = sorted(catalog.regions.zone_ids(new.region), key=lambda zone: (zone not in offering, -also.count(zone)))
    if len(used) > len(others):
        message = f"template {template.name} uses {len(used)} Availability Zones; the Region has {len(others)}"
        raise ToolkitError(message, hint="choose another Region: `neuron-cluster catalog regions`")
    return dict(zip(used, others, strict=False))


def _offering(template: Template, new: NewEnvironment, proposal: Proposal | None, catalog: Catalog) -> tuple[str, ...]:
    """Zones of the Region that offer the instances."""
    if template.row.machines is None:
        return ()
    machines = proposal.machines if proposal is not None else machines_of_template(template)
    row = catalog.instance_types.get(machines.instance_type)
    return row.zone_ids.get(new.region, ()) if row is not None else ()


def _also_offering(template: Template, region: str, catalog: Catalog) -> tuple[str, ...]:
    """Zones of the Region, each once for each Neuron instance type of the template that it offers."""
    types = {value for values in template.values for key, value in values.items() if key[-1] == "instance_type"}
    rows = [row for row in map(catalog.instance_types.get, types) if row is not None and row.neuron_devices]
    return tuple(zone for row in rows for zone in row.zone_ids.get(region, ()))


def _for_this_environment(text: str, template: str, placeholder: str, new: NewEnvironment) -> str:
    """Commands in comments name the environment; without the line about the account id of the template."""
    lines = text.splitlines(keepends=True)
    named = re.compile(rf"(?<= ){re.escape(template)}(?= |$)", re.MULTILINE)
    is_replaced = placeholder != new.account
    return "".join(
        named.sub(new.name, line) if line.startswith("#") and COMMAND in line else line
        for line in lines
        if not (is_replaced and line.startswith("#") and placeholder in line)
    )


def _require_none(errors: Sequence[Finding], template: Template, new: NewEnvironment) -> None:
    """Raises ``ToolkitError`` with the errors of the file."""
    if errors:
        shown = "\n".join(f"{each.id} {each.location.path}: {each.message}" for each in errors)
        name = ["the name"] if any(each.location.path == "name" for each in errors) else []
        options = [*name, *_options(new), "--region or --template"]
        hint = f"change {', '.join(options)}; `neuron-cluster init --list-templates` lists the templates"
        message = f"template {template.name} is not valid with account {new.account} in {new.region}"
        raise ToolkitError(f"{message}\n{shown}", hint=hint)


def _options(new: NewEnvironment) -> Iterator[str]:
    """Options that were given and that a finding may be about."""
    given = {
        "--model": new.model is not None,
        "--devices": new.devices is not None,
        "--purchase-option": new.purchase_option is not None,
        "--team": bool(new.teams),
    }
    return (option for option, is_given in given.items() if is_given)


def _is_about_checkpoints(finding: Finding) -> bool:
    return f"{finding.location.path}.".startswith(f"{format_path(CHECKPOINTS)}.")


def _findings(files: Mapping[str, str], name: str) -> tuple[list[Finding], tuple[Finding, ...]]:
    """The errors, and the warnings about the sale of the instances."""
    with tempfile.TemporaryDirectory() as folder:
        for relative, text in files.items():
            path = Path(folder) / relative
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        file = Path(folder) / f"{name}{SUFFIX}"
        findings = check_environment(file, display_name=file.name).findings
    doubts = tuple(each for each in findings if each.id in SALE)
    return [each for each in findings if each.severity is Severity.ERROR], doubts
