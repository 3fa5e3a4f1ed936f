"""Rules about EKS judge its node groups alone, whatever else is in the file."""

from __future__ import annotations

from pathlib import Path

from rule_fixture import Case

from neuron_cluster.findings.finding import Finding
from neuron_cluster.pipeline import check_environment
from neuron_cluster.rules.discover import all_rules

OFF = ("neuron_device_plugin", "efa_device_plugin", "kueue")
SYSTEM_ALONE = {
    "eks.node_groups[1]": "~delete~",
    "observability": "~delete~",
    **{f"eks.addons.{component}": "false" for component in OFF},
}
"""Without the software that nodes of such machines would need."""
BESIDE = """
auto_scaling:
  groups:
    - name: trn1
      instance_type: trn1.32xlarge
      dlami: base_ubuntu_24_04
      availability_zone: usw2-az4
      queue: training
      count: {max: 5000}
"""


def found_by_eks(text: str, folder: Path) -> list[Finding]:
    file = folder / "environment.yaml"
    file.write_text(text, encoding="utf-8")
    of_eks = {rule.id for rule in all_rules() if ".orchestrators.eks." in type(rule).__module__}
    return [each for each in check_environment(file).findings if each.id in of_eks]


def test_groups_of_another_orchestrator_are_no_node_groups(tmp_path: Path) -> None:
    cluster = Case("train-trn1", SYSTEM_ALONE).text()
    alone = found_by_eks(cluster, tmp_path)
    assert found_by_eks(cluster + BESIDE, tmp_path) == alone
