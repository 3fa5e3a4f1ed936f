"""A provider together with EKS: rules about EKS only check its node groups, and shared names are errors."""

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
RESERVATION = {"kind": "reservation", "reservation_id": "cr-0123456789abcdef0"}


def found_by_eks(text: str, folder: Path) -> list[Finding]:
    file = folder / "environment.yaml"
    file.write_text(text, encoding="utf-8")
    of_eks = {rule.id for rule in all_rules() if ".providers.eks." in type(rule).__module__}
    return [each for each in check_environment(file).findings if each.id in of_eks]


def test_groups_of_another_provider_are_no_node_groups(tmp_path: Path) -> None:
    cluster = Case("train-trn1", SYSTEM_ALONE).text()
    alone = found_by_eks(cluster, tmp_path)
    assert found_by_eks(cluster + BESIDE, tmp_path) == alone


def test_groups_of_two_providers_compete_for_a_reservation(tmp_path: Path) -> None:
    cluster = Case(
        "train-trn1", {"eks.node_groups[1].capacity": RESERVATION, "eks.node_groups[1].name": "nodes"}
    ).text()
    file = tmp_path / "environment.yaml"
    file.write_text(f"{cluster}{BESIDE}      capacity: {RESERVATION}\n", encoding="utf-8")
    (finding,) = (each for each in check_environment(file).findings if each.id in ("E3075", "W3025"))
    assert (finding.id, finding.location.path) == ("E3075", "auto_scaling.groups[0].capacity.reservation_id")
    assert finding.message.startswith("nodes of eks and trn1 of auto_scaling share cr-0123456789abcdef0")
    assert finding.hint.endswith("or move both groups to eks or auto_scaling")
