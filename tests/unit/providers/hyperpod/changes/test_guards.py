"""Changes of a HyperPod cluster that stop a deploy, or of which it warns: each guard on hyperpod-trn2's templates."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hint_commands import command_error, commands_in

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.changes.compare import change_findings
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.source_key import source_keys
from neuron_cluster.findings.finding import Finding, Severity

CATALOG = load_catalog()
NAME, PART = "hyperpod-trn2", "hyperpod"
GROUP = "hyperpod.groups.0"
CPU = {"name": "prepare", "instance_type": "ml.m7i.4xlarge", "count": {"desired": 2}}
KEPT_BY_DESTROY = ("network", "storage")

Templates = dict[str, dict[str, Any]]
TemplatesOf = Callable[..., Templates]


@pytest.fixture(scope="module")
def deployed(templates_of: TemplatesOf) -> Templates:
    return templates_of(NAME)


def findings(before: Templates, after: Templates) -> list[Finding]:
    return list(change_findings(before, after, CATALOG))


def with_cluster(templates: Templates, **properties: Any) -> Templates:
    new = copy.deepcopy(templates)
    new[PART]["Resources"]["Cluster"]["Properties"] |= properties
    return new


@pytest.mark.hints("E9081")
@pytest.mark.parametrize(
    "properties",
    [
        {"ClusterName": "other"},
        {"Orchestrator": {"Eks": {"ClusterArn": "arn:aws:eks:us-east-2:111122223333:cluster/other"}}},
        {"VpcConfig": {"SecurityGroupIds": ["sg-0123456789abcdef0"], "Subnets": ["subnet-0123456789abcdef0"]}},
    ],
    ids=["name", "EKS cluster", "VPC"],
)
def test_an_edit_that_replaces_the_cluster_is_an_error(deployed: Templates, properties: Mapping[str, Any]) -> None:
    after = with_cluster(deployed, **properties)
    (error,) = (each for each in findings(deployed, after) if each.id == "E9081")
    assert error.severity is Severity.ERROR
    assert "would be replaced with all its nodes and their pods, because" in error.message
    assert "the HyperPod cluster" in error.message
    destroyed = {part: deployed[part] for part in KEPT_BY_DESTROY}
    for before, then in ((deployed, deployed), (deployed, destroyed), (destroyed, after)):
        assert "E9081" not in {each.id for each in findings(before, then)}
    (destroy,) = commands_in(error.hint)
    assert not command_error(destroy.replace("NAME", NAME))


@pytest.mark.hints("E9082")
def test_a_cluster_that_is_no_longer_in_the_file_is_an_error(deployed: Templates, templates_of: TemplatesOf) -> None:
    without = templates_of(NAME, {"hyperpod": None})
    (error,) = (each for each in findings(deployed, without) if each.id == "E9082")
    assert error.severity is Severity.ERROR
    assert "is no longer in the file" in error.message
    assert error.hint.startswith("undo the edit, or take two steps: 1.")
    destroyed = {part: deployed[part] for part in KEPT_BY_DESTROY}
    assert [each for each in findings(destroyed, without) if each.severity is Severity.ERROR] == []


def test_a_cluster_that_is_added_is_no_finding(deployed: Templates, templates_of: TemplatesOf) -> None:
    without = templates_of(NAME, {"hyperpod": None})
    assert [each.id for each in findings(without, deployed) if each.severity is Severity.ERROR] == []


@pytest.mark.parametrize(
    "edits",
    [
        {f"{GROUP}.count.desired": 8},
        {f"{GROUP}.instance_type": "ml.m7i.4xlarge", f"{GROUP}.queue": None},
        pytest.param({f"{GROUP}.deep_health_checks": ["instance_stress"]}, marks=pytest.mark.exhaustive),
        pytest.param({"hyperpod.groups.1": CPU}, marks=pytest.mark.exhaustive),
        {"hyperpod.groups": [CPU]},
        {"hyperpod.node_recovery": "none"},
        pytest.param({"hyperpod.continuous": False}, marks=pytest.mark.exhaustive),
    ],
    ids=lambda edits: ",".join(key.rpartition(".")[2] for key in edits),
)
def test_edits_of_groups_replace_no_cluster(
    deployed: Templates, templates_of: TemplatesOf, edits: Mapping[str, Any]
) -> None:
    edited = templates_of(NAME, edits)
    comparison = Comparison(deployed, edited, CATALOG)
    assert [address for address in comparison.replaced if address.stack == PART] == []
    assert {"E9081", "E9082", "W9083"}.isdisjoint(each.id for each in findings(deployed, edited))


@pytest.mark.hints("W9083")
def test_another_release_warns_of_pods_that_end(deployed: Templates, templates_of: TemplatesOf) -> None:
    released = templates_of(NAME, {f"{GROUP}.ami_release": "1.2.3"})
    (warning,) = (each for each in findings(deployed, released) if each.id == "W9083")
    assert warning.severity is Severity.WARNING
    assert "the nodes of trn2 without a drain: their pods end" in warning.message
    keys = source_keys(Comparison(deployed, released, CATALOG), [warning])
    assert list(keys.values()) == [("hyperpod", "groups")], "in the file, and not at a resource"
    assert "W9083" not in {each.id for each in findings(released, released)}


def test_a_release_that_is_taken_out_of_the_file_ends_no_pod(deployed: Templates, templates_of: TemplatesOf) -> None:
    released = templates_of(NAME, {f"{GROUP}.ami_release": "1.2.3"})
    assert "W9083" not in {each.id for each in findings(released, deployed)}


def test_a_release_of_a_group_without_nodes_ends_no_pod(deployed: Templates, templates_of: TemplatesOf) -> None:
    empty = {f"{GROUP}.count.desired": 0}
    before, after = templates_of(NAME, empty), templates_of(NAME, {**empty, f"{GROUP}.ami_release": "1.2.3"})
    assert "W9083" not in {each.id for each in findings(before, after)}


def test_a_group_that_is_made_with_a_release_ends_no_pod(deployed: Templates, templates_of: TemplatesOf) -> None:
    new = templates_of(NAME, {"hyperpod.groups.1": {**CPU, "ami_release": "1.2.3"}})
    assert "W9083" not in {each.id for each in findings(deployed, new)}


@pytest.mark.hints("W9084")
def test_another_way_of_provisioning_nodes_is_doubtful(deployed: Templates, templates_of: TemplatesOf) -> None:
    """CloudFormation updates it in place; no source states that the service accepts it."""
    other = templates_of(NAME, {"hyperpod.continuous": False})
    for before, after, old in ((deployed, other, "true"), (other, deployed, "false")):
        (warning,) = (each for each in findings(before, after) if each.id == "W9084")
        assert warning.severity is Severity.WARNING
        assert warning.message.startswith(f"continuous is {old} in the deployed cluster")
        assert warning.hint.startswith(f"set continuous: {old}; or")
        keys = source_keys(Comparison(before, after, CATALOG), [warning])
        assert list(keys.values()) == [("hyperpod", "continuous")]
    assert "W9084" not in {each.id for each in findings(other, other)}, "the hint is followed"
