"""Changes of a HyperPod cluster with Slurm that stop a deploy, or of which it warns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hint_commands import command_error, commands_in

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.changes.compare import change_findings
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.source_key import source_keys
from neuron_cluster.findings.finding import Finding, Severity
from tests.slurm_on_hyperpod import BUCKET, CPU, NAME, TEAMS

CATALOG = load_catalog()
KEPT_BY_DESTROY = ("network", "storage")
OTHER_CONTROLLER = {"hyperpod.slurm.controller.instance_type": "ml.m7i.4xlarge"}

Templates = dict[str, dict[str, Any]]
TemplatesOf = Callable[..., Templates]


@pytest.fixture(scope="module")
def deployed(templates_of: TemplatesOf) -> Templates:
    return templates_of(NAME)


def findings(before: Templates, after: Templates) -> list[Finding]:
    return list(change_findings(before, after, CATALOG))


def ids(before: Templates, after: Templates) -> set[str]:
    return {each.id for each in findings(before, after)}


@pytest.mark.hints("E9088")
def test_an_edit_that_replaces_the_controller_is_an_error(deployed: Templates, templates_of: TemplatesOf) -> None:
    after = templates_of(NAME, OTHER_CONTROLLER)
    (error,) = (each for each in findings(deployed, after) if each.id == "E9088")
    assert error.severity is Severity.ERROR
    assert error.message == (
        "the controller would be replaced: 1 x ml.m7i.2xlarge, on demand by 1 x ml.m7i.4xlarge, on demand"
    )
    (destroy,) = commands_in(error.hint)
    assert not command_error(destroy.replace("NAME", NAME))
    destroyed = {part: deployed[part] for part in KEPT_BY_DESTROY}
    for before, then in ((deployed, deployed), (deployed, destroyed), (destroyed, after)):
        assert "E9088" not in ids(before, then), "the steps of the hint"
    keys = source_keys(Comparison(deployed, after, CATALOG), [error])
    assert list(keys.values()) == [("hyperpod", "slurm", "controller")]


@pytest.mark.parametrize(
    "edits",
    [
        {"hyperpod.slurm.login.instance_type": "ml.m7i.4xlarge"},
        {"hyperpod.slurm.controller.extra_volume": {"size_gib": 500}},
        {"hyperpod.groups.0.instance_type": "ml.trn1n.32xlarge"},
        pytest.param({"hyperpod.groups.1": CPU}, marks=pytest.mark.exhaustive),
        pytest.param({"hyperpod.groups.0.count": {"desired": 8}}, marks=pytest.mark.exhaustive),
        pytest.param({"hyperpod.node_recovery": "none"}, marks=pytest.mark.exhaustive),
    ],
    ids=lambda edits: next(iter(edits)).rpartition("hyperpod.")[2],
)
def test_other_edits_replace_neither_the_controller_nor_the_cluster(
    deployed: Templates, templates_of: TemplatesOf, edits: Mapping[str, Any]
) -> None:
    after = templates_of(NAME, edits)
    assert {"E9081", "E9082", "E9088"}.isdisjoint(ids(deployed, after))


@pytest.mark.hints("W9089")
@pytest.mark.parametrize("edits", [TEAMS, BUCKET], ids=["teams", "bucket"])
def test_a_script_that_changes_is_not_run_on_nodes_that_run(
    deployed: Templates, templates_of: TemplatesOf, edits: Mapping[str, Any]
) -> None:
    after = templates_of(NAME, edits)
    (warning,) = (each for each in findings(deployed, after) if each.id == "W9089")
    assert warning.severity is Severity.WARNING
    assert warning.message.startswith("the script of controller, login and trn1 changes")
    (command,) = commands_in(warning.hint)
    assert not command_error(command.replace("NAME", NAME).replace("ID", "i-0123456789abcdef0"))
    assert "W9089" not in ids(after, after)


@pytest.mark.parametrize(
    "edits",
    [
        {"hyperpod.groups.0.count": {"desired": 8}},
        {"hyperpod.groups.0.instance_type": "ml.trn1n.32xlarge"},
        {"hyperpod.slurm.login.count": {"desired": 2}},
    ],
    ids=["more nodes", "another group", "more login nodes"],
)
def test_groups_whose_nodes_have_the_script_of_the_file_are_no_finding(
    deployed: Templates, templates_of: TemplatesOf, edits: Mapping[str, Any]
) -> None:
    """Nodes of a group of another name are new."""
    assert "W9089" not in ids(deployed, templates_of(NAME, edits))


def test_a_group_without_nodes_is_no_finding(templates_of: TemplatesOf) -> None:
    none = {"hyperpod.groups.0.count": {"desired": 0}}
    before, after = templates_of(NAME, none), templates_of(NAME, {**none, **TEAMS})
    (warning,) = (each for each in findings(before, after) if each.id == "W9089")
    assert warning.message.startswith("the script of controller and login changes")


def test_an_environment_with_eks_has_neither_finding(templates_of: TemplatesOf) -> None:
    before, after = (templates_of("hyperpod-trn2", {"hyperpod.groups.0.count.desired": count}) for count in (4, 5))
    assert {"E9088", "W9089"}.isdisjoint(ids(before, after))
