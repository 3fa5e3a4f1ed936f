"""Parameters of a construct as sections of an environment file: the same model, rules, defaults and plan.

So a construct needs no checks and no defaults of its own, and a parameter means what the key of its name means.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import aws_cdk as cdk
from constructs import Construct

from neuron_cluster.catalog.catalog import Catalog, load_catalog
from neuron_cluster.cdk.invalid_parameters import InvalidParameters
from neuron_cluster.config.environment_config import SCHEMA
from neuron_cluster.config.source_map import KeyPath, SourceMap, format_path
from neuron_cluster.config.validation import validate_tree
from neuron_cluster.findings.suggestions import did_you_mean, did_you_mean_one_of
from neuron_cluster.findings.text import listed
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.planning.build import build_plan
from neuron_cluster.protocol.registry import resolve_environment
from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment
from neuron_cluster.rules.base import Needs, RuleContext
from neuron_cluster.rules.discover import rules_of

SECTION_NETWORK = {"cidr": "10.0.0.0/16"}
"""The network of constructs that have their own subnets: no resource has these addresses."""

SOFTWARE = "E5"
"""Rules of this chapter compare nodes with the Neuron SDK and the add-ons of a cluster, which no construct sets."""


def planned_parameters(
    construct: Construct, sections: Mapping[str, Any], under: KeyPath, zone_ids: Sequence[str] = ()
) -> ClusterPlan:
    """The plan of an environment that has these sections.

    ``under`` is the key path of the parameters: only what rules find there is an error. ``zone_ids`` are the zones of
    the network, where ``sections`` has none. Raises ``InvalidParameters``.
    """
    catalog = load_catalog()
    region = _region(construct, zone_ids, catalog)
    tree = {
        "schema": SCHEMA,
        "name": "constructs",
        "account": next(iter(catalog.placeholder_accounts.names)),
        "region": region,
        "neuron": {"sdk": catalog.neuron_sdks.rows[0].name},
        "network": {**SECTION_NETWORK, "availability_zones": list(zone_ids) or [catalog.regions.zone_ids(region)[0]]},
        **sections,
    }
    if tokens := dict(_tokens(sections, ())):
        _require_no_numbers(construct, tokens, under)
    validated = validate_tree(given(tree), SourceMap(construct.node.path), catalog.regions.zone_ids)
    prefix = format_path(under)
    problems = [
        _of_token(found.location.path, prefix)
        if found.location.path in {format_path(path) for path in tokens}
        else (_relative(found.message, prefix), _relative(found.hint, prefix))
        for found in validated.findings
        if found.location.path.startswith(prefix)
    ]
    if problems or validated.config is None:
        raise InvalidParameters(construct, problems)
    environment = resolve_environment(validated.config, catalog)
    problems = list(_violations(environment, catalog, under))
    if problems:
        raise InvalidParameters(construct, problems)
    return build_plan(environment, catalog)


def _tokens(value: Any, path: KeyPath) -> Iterator[tuple[KeyPath, Any]]:
    """The values that CDK or CloudFormation resolves later, by the path of their keys."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _tokens(item, (*path, key))
    elif isinstance(value, (list, tuple)):
        for position, item in enumerate(value):
            yield from _tokens(item, (*path, position))
    elif isinstance(value, (str, int, float)) and cdk.Token.is_unresolved(value):
        yield path, value


def _require_no_numbers(construct: Construct, tokens: Mapping[KeyPath, Any], under: KeyPath) -> None:
    """Addresses and devices are counted at synthesis. Raises ``InvalidParameters``."""
    numbers = [path for path, value in tokens.items() if isinstance(value, (int, float))]
    if numbers:
        raise InvalidParameters(construct, [_of_token(format_path(path), format_path(under)) for path in numbers])


def _of_token(path: str, prefix: str) -> tuple[str, str]:
    return (
        f"{_relative(path, prefix)} is a token, whose value synthesis does not know",
        "write the number or text itself",
    )


def given(value: Any) -> Any:
    """Without parameters that are None, in mappings of any depth: they are absent keys."""
    if isinstance(value, Mapping):
        return {key: given(item) for key, item in value.items() if item is not None}
    if isinstance(value, (list, tuple)):
        return [given(item) for item in value]
    return value


def _violations(environment: ResolvedEnvironment, catalog: Catalog, under: KeyPath) -> Iterator[tuple[str, str]]:
    context = RuleContext(environment=environment, catalog=catalog)
    for rule in rules_of(Needs.FILE):
        for found in rule.check(context):
            if rule.id.startswith("E") and not rule.id.startswith(SOFTWARE) and found.path[: len(under)] == under:
                yield _relative(found.message, format_path(under)), _relative(found.hint, format_path(under))


def _relative(text: str, prefix: str) -> str:
    """A message about a key of the file as one about a parameter. Zones are those of ``subnet_ids``."""
    return text.replace(f"{prefix}.", "").replace("network.availability_zones", "subnet_ids")


def _region(construct: Construct, zone_ids: Sequence[str], catalog: Catalog) -> str:
    """Returns the Region of the stack; for a stack of any Region that of the zones."""
    region = cdk.Stack.of(construct).region
    if not cdk.Token.is_unresolved(region):
        if catalog.regions.get(region) is None:
            hint = did_you_mean(catalog.regions.similar(region))
            raise InvalidParameters(construct, [(f"{region} is not a Region of the catalog", hint.strip())])
        return region
    for zone_id in zone_ids:
        home = catalog.regions.of_zone_id(zone_id)
        if home is not None:
            return home
    if zone_ids:
        known = [zone_id for row in catalog.regions for zone_id in row.zone_ids]
        hint = f"{did_you_mean_one_of(zone_ids[0], known)}zone ids look like {known[0]}"
        raise InvalidParameters(construct, [(f"{listed(list(zone_ids))} is not a zone id of the catalog", hint)])
    return catalog.regions.rows[0].name
