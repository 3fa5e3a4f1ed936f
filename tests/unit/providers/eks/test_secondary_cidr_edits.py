"""Edits that E1010 proposes leave enough addresses."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from rule_fixture import Case

from neuron_cluster.findings.finding import Finding
from neuron_cluster.pipeline import check_environment

CIDRS = re.compile(r"set network\.secondary_cidrs: (\[.*?\])(?:,| and)")
SUBNETS = re.compile(r"set subnets: secondary for (\S+?)(?:,|;| and)")
PODS = re.compile(r"pods_per_node: ([0-9]+)")
GROUP = "eks.node_groups[1]"


def found(edits: dict[str, Any], folder: Path) -> list[Finding]:
    file = folder / "train-trn1.yaml"
    file.write_text(Case("train-trn1", edits).text(), encoding="utf-8")
    return [each for each in check_environment(file).findings if each.id in ("E1010", "W1014")]


@pytest.mark.parametrize("maximum", ["100", "1000", "1800"])
@pytest.mark.parametrize("instance_type", ["trn1.32xlarge", "trn2.48xlarge"])
def test_its_hint_leads_to_room(instance_type: str, maximum: str, tmp_path: Path) -> None:
    edits: dict[str, Any] = {f"{GROUP}.instance_type": instance_type, f"{GROUP}.count": {"max": maximum}}
    (finding,) = found(edits, tmp_path)
    hint = finding.hint
    cidrs, group = CIDRS.search(hint), SUBNETS.search(hint)
    assert cidrs is not None, hint
    assert group is not None, hint
    assert group[1] == "trn1"
    edits |= {"network.secondary_cidrs": yaml.safe_load(cidrs[1]), f"{GROUP}.subnets": "secondary"}
    if (pods := PODS.search(hint)) and "eks.prefix_delegation: true" in hint:
        edits |= {"eks.prefix_delegation": "true", f"{GROUP}.pods_per_node": pods[1]}
    assert found(edits, tmp_path) == []


def test_what_no_range_holds_is_not_promised(tmp_path: Path) -> None:
    (finding,) = found({f"{GROUP}.count": {"max": "4000"}}, tmp_path)
    assert "no subnet of a VPC is large enough" in finding.hint
