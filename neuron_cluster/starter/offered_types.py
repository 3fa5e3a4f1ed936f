"""Instance types of a template that the Region of the user does not offer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.instance_type import InstanceType
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.text import listed
from neuron_cluster.starter.machines import OTHER_TEMPLATES
from neuron_cluster.starter.new_environment import NewEnvironment, purpose_of
from neuron_cluster.starter.template import Template, template, templates_for
from neuron_cluster.upgrade.file_edit import scalar_values


def require_offered(chosen: Template, new: NewEnvironment, texts: Iterable[str], catalog: Catalog) -> None:
    """Raises ``ToolkitError`` with the Regions, and the templates of the purpose, that have all Neuron types.

    What EC2 offers changes: a file of another Region can be edited, and `validate` then warns.
    """
    types = _neuron_types((scalar_values(text) for text in texts), catalog)
    missing = [row for row in types if _is_missing(row, new.region)]
    if not missing:
        return
    regions = [each.name for each in catalog.regions if not any(_is_missing(row, each.name) for row in types)]
    names = templates_for(purpose_of(chosen, new) or "")
    others = [name for name in names if name != chosen.name and _offers(template(name), new.region, catalog)]
    seen = missing[0].zone_ids_as_of
    message = (
        f"{listed([row.name for row in missing])} of template {chosen.name}: not offered in {new.region} on {seen}"
    )
    ways = [f"--region {listed(regions, 'or')}"] if regions else []
    ways += [f"--template {listed(others, 'or')}"] if others else []
    raise ToolkitError(message, hint=f"write {', or '.join(ways)}" if ways else OTHER_TEMPLATES)


def _offers(other: Template, region: str, catalog: Catalog) -> bool:
    return all(row.offered_zone_ids(region) for row in _neuron_types(other.values, catalog))


def _neuron_types(texts: Iterable[Mapping[KeyPath, str]], catalog: Catalog) -> Sequence[InstanceType]:
    names = dict.fromkeys(value for values in texts for key, value in values.items() if key[-1] == "instance_type")
    return [row for row in map(catalog.instance_types.get, names) if row is not None and row.neuron_devices]


def _is_missing(row: InstanceType, region: str) -> bool:
    """A type that no Region offers is one to plan for."""
    return row.launchable and bool(row.zone_ids) and not row.offered_zone_ids(region)
