"""A rule about machines finds the same in a node group of EKS and in an Auto Scaling group."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from rule_fixture import Case, rule_fixture

from neuron_cluster.pipeline import check_environment
from neuron_cluster.providers.eks.node_groups import EksNodeGroup
from neuron_cluster.rules.discover import all_rules
from tests.orchestrators.auto_scaling.provider import ScaledGroup
from tests.orchestrators.auto_scaling.section import AutoScalingGroup

from .conftest import registered_for_test

NODE_GROUPS, GROUPS = "eks.node_groups", "auto_scaling.groups"
OTHER_IMAGE = "E3062-2"
"""The case is about an AMI type of EKS."""
NOT_COMPARED = {"E3075", "E3096"}
"""Rules on groups of two providers (``test_beside_eks`` has them), and on AMI ids, which node groups have not."""
RULES = [rule.id for rule in all_rules() if type(rule).__module__.startswith("neuron_cluster.rules.compute.")]
CASES = [
    pytest.param(rule_id, case, id=f"{rule_id}-{number}")
    for rule_id in RULES
    for number, case in enumerate(rule_fixture(rule_id).bad)
    if f"{rule_id}-{number}" != OTHER_IMAGE and any(path.startswith(NODE_GROUPS) for path in case.paths)
]


@pytest.fixture(scope="module", autouse=True)
def auto_scaling() -> Iterator[None]:
    """Registered once: each registration builds the model of the file again."""
    with registered_for_test():
        yield


def translated(case: Case) -> str:
    """The same machines in Auto Scaling groups."""
    tree: Any = yaml.load(case.text(), Loader=yaml.CBaseLoader)  # noqa: S506 - texts, lists and mappings alone
    groups = tree.pop("eks")["node_groups"]
    tree.pop("observability", None)
    common = [{key: value for key, value in group.items() if key in AutoScalingGroup.model_fields} for group in groups]
    tree["auto_scaling"] = {"groups": [{"dlami": "base_ubuntu_24_04", **group} for group in common]}
    return yaml.dump(tree, sort_keys=False, Dumper=yaml.CSafeDumper)


def found(text: str, rule_id: str, case: Case, folder: Path) -> list[tuple[str, str, str, str]]:
    file = folder / "environment.yaml"
    file.write_text(text, encoding="utf-8")
    findings = check_environment(file, catalog=case.catalog, as_of=case.as_of).findings
    return sorted(
        (each.id, each.severity.value, each.location.path, each.message) for each in findings if each.id == rule_id
    )


def in_words_of_auto_scaling(text: str) -> str:
    nodes = f"{EksNodeGroup.machine_noun}s of ", f"{ScaledGroup.machine_noun}s of "
    return text.replace(NODE_GROUPS, GROUPS).replace(*nodes)


@pytest.mark.parametrize(("rule_id", "case"), CASES)
def test_the_finding_is_the_same(rule_id: str, case: Case, tmp_path: Path) -> None:
    expected = [
        (*each[:2], *map(in_words_of_auto_scaling, each[2:])) for each in found(case.text(), rule_id, case, tmp_path)
    ]
    assert expected
    assert found(translated(case), rule_id, case, tmp_path) == expected


def test_every_rule_about_machines_is_compared() -> None:
    assert {str(case.values[0]) for case in CASES} == set(RULES) - NOT_COMPARED
